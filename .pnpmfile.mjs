/**
 * The reference page of the API only needs the build of Scalar for browsers, which contains what it depends on. Without
 * this, hundreds of packages that nothing loads would be installed in development and in the image of the API. The
 * engines concern those packages, too.
 */
export const hooks = {
  readPackage(manifest) {
    if (manifest.name !== '@scalar/api-reference') return manifest;
    const { dependencies: _dependencies, engines: _engines, ...rest } = manifest;
    return rest;
  },
};
