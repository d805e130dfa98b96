/**
 * The reference page only needs the build of Scalar for browsers, which contains what it depends on. Without this, hundreds of
 * packages that nothing loads would be installed in development. The engines concern those packages, too.
 */
export const hooks = {
  readPackage(manifest) {
    if (manifest.name !== '@scalar/api-reference') return manifest;
    const { dependencies: _dependencies, engines: _engines, ...rest } = manifest;
    return rest;
  },
};
