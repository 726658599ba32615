import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const PUBLIC_KEY_BYTES = 32;

/** The key that signs a release. */
export type ReleaseKey = {
  /** The public half: base64 of 32 bytes. */
  publicKey: string;
  sign: (bytes: Uint8Array) => Buffer;
};

/**
 * Returns the file with the key of this user, unless an option names one. A relative directory would be in
 * the repository.
 */
export function ownKeyFile({ XDG_CONFIG_HOME } = process.env): string {
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(homedir(), '.config');
  return join(base, 'tollgate', 'release-key.pem');
}

/** Reads an Ed25519 key from a file (PEM). */
export function readReleaseKey(file: string): ReleaseKey {
  const key = parseKey(readFileSync(file, 'utf8'));
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error(`${file} has no private Ed25519 key (PEM)`);
  return { publicKey: publicHalf(key), sign: (bytes) => sign(null, bytes, key) };
}

/** Makes a key that only this user can read, if there is none. Returns whether it did. */
export function makeReleaseKey(file: string): boolean {
  if (existsSync(file)) return false;
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  return true;
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function publicHalf(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return der.subarray(-PUBLIC_KEY_BYTES).toString('base64');
}
