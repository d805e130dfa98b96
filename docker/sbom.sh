#!/usr/bin/env bash
# Writes the contents of the images to a folder: a CycloneDX document for each, and the licences of all their packages.
#   docker/sbom.sh FOLDER
# Needs the installed packages (`pnpm install`). Run it on the commit that the images are built from.
set -euo pipefail
mkdir -p "${1:?usage: docker/sbom.sh FOLDER}"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

# npx keeps the package in its own cache, outside this checkout.
pnpm=$(npx --yes --package=pnpm@12.21.0 --call 'command -v pnpm')

sbom() {
  local name=$1 package=$2
  shift 2
  "$pnpm" --filter "$package" sbom --sbom-format cyclonedx --sbom-type application "$@" --out "$folder/$name.cdx.json"
}

sbom api @deal-signals/api --prod
sbom worker @deal-signals/worker --prod
sbom migrate @deal-signals/capture --prod
# The image of the API has these pages as bundles, which are built from development dependencies.
sbom console @deal-signals/console
sbom guides @deal-signals/guides
"$pnpm" --recursive licenses list --prod --json > "$folder/licences.json"
