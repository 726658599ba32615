#!/bin/sh
# Installs Tollgate @version@ from the archive for this machine. The archive brings its runtime, so Node is not needed.
# The script has the checksum of each archive, and installs nothing else. Verify the script itself with `tollgate verify-release`.
set -eu
# The program is for all users of the machine, also if the files of this user are private.
umask 022

version='@version@'
from='@base-url@'

usage() {
  cat <<TEXT
usage: sh install.sh [--from URL|DIR] [--prefix DIR] [--bin DIR]

  --from    where the archive is: an address or a directory (default: ${from:-the directory of this script})
  --prefix  where the program goes, in a folder named for its version (default: /opt/tollgate for root, else ~/.local/share/tollgate)
  --bin     where the command \`tollgate\` goes (default: /usr/local/bin for root, else ~/.local/bin)
TEXT
}

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

checksum_for() {
  case $1 in
    linux-x64) echo '@linux-x64@' ;;
    linux-arm64) echo '@linux-arm64@' ;;
    darwin-x64) echo '@darwin-x64@' ;;
    darwin-arm64) echo '@darwin-arm64@' ;;
  esac
}

find_platform() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no archive for $(uname -s); the npm package may work" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no archive for the processor $(uname -m)" ;;
  esac
  echo "$system-$processor"
}

has() { command -v "$1" >/dev/null 2>&1; }

fetch() {
  case $from in
    *://*)
      if has curl; then
        curl --fail --silent --show-error --location --output "$2" "$from/$1" || fail "$from/$1 could not be fetched"
      elif has wget; then
        wget -q -O "$2" "$from/$1" || fail "$from/$1 could not be fetched"
      else
        fail 'curl or wget is needed'
      fi
      ;;
    *) cp -- "$from/$1" "$2" || fail "there is no $1 in $from" ;;
  esac
}

# The tools would escape some characters of a file name, so they get none.
checksum_of() {
  if has sha256sum; then
    sum=$(sha256sum <"$1")
  elif has shasum; then
    sum=$(shasum -a 256 <"$1")
  elif has openssl; then
    sum=$(openssl dgst -sha256 -r <"$1")
  else
    fail 'sha256sum, shasum or openssl is needed to verify the archive'
  fi
  echo "${sum%% *}"
}

# The last line calls this function, so a part of the script changes nothing.
main() {
  prefix=
  bin=
  while [ $# -gt 0 ]; do
    case $1 in
      --help)
        usage
        exit 0
        ;;
      --from | --prefix | --bin)
        [ -n "${2:-}" ] || fail "$1 needs a value"
        case $1 in
          --from)
            from=${2%/}
            from=${from:-/}
            ;;
          --prefix) prefix=$2 ;;
          --bin) bin=$2 ;;
        esac
        shift 2
        ;;
      *)
        usage >&2
        exit 2
        ;;
    esac
  done

  if [ "$(id -u)" = 0 ]; then
    prefix=${prefix:-/opt/tollgate}
    bin=${bin:-/usr/local/bin}
  else
    prefix=${prefix:-$HOME/.local/share/tollgate}
    bin=${bin:-$HOME/.local/bin}
  fi
  from=${from:-$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)}

  platform=$(find_platform)
  archive=tollgate-$version-$platform.tar.gz
  mkdir -p -- "$prefix" "$bin"
  prefix=$(CDPATH='' cd -- "$prefix" && pwd)
  bin=$(CDPATH='' cd -- "$bin" && pwd)
  [ ! -d "$bin/tollgate" ] || fail "$bin/tollgate is a directory; name a different one with --bin"
  work=$(mktemp -d "$prefix/.install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM

  fetch "$archive" "$work/$archive"
  found=$(checksum_of "$work/$archive")
  expected=$(checksum_for "$platform")
  [ "$found" = "$expected" ] || fail "$archive has the checksum $found instead of $expected; nothing was installed"

  tar -xzf "$work/$archive" -C "$work"
  program=$work/tollgate-$version-$platform
  chmod 0755 "$work"
  started=$("$program/bin/tollgate" --version 2>&1) || fail "the program does not start on this machine: $started"
  rm -rf "${prefix:?}/$version"
  mv "$program" "$prefix/$version"
  ln -sf "$prefix/$version/bin/tollgate" "$bin/tollgate"

  echo "Tollgate $started is installed in $prefix/$version."
  case :$PATH: in
    *:"$bin":*) echo 'Start it with: tollgate serve' ;;
    *) echo "Start it with: $bin/tollgate serve" ;;
  esac
}

main "$@"
