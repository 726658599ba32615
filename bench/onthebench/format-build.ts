/** Formats the script that installs Tollgate beside the manifest. */
export const formatBuild = ({ repository, ref }: { repository: string; ref: string }): string => `#!/bin/sh
set -eu
cd "$(dirname "$0")"
[ -d checkout ] || git clone --depth 1 --branch '${ref}' '${repository}' checkout
cd checkout
npm ci --omit=dev --no-audit --no-fund
`;
