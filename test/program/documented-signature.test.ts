import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signAlert } from '../../src/watch/alerts/sign-alert.ts';

const document = readFileSync(join(import.meta.dir, '../../docs/alerts.md'), 'utf8');

/** Returns the code of the document's block in this language. */
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language} signature\\n(.*?)\`\`\``, 's').exec(document)![1]!;

const NOW_S = 1_795_284_000;
const BODY = '{"id":"alrt_ü"}';
const SECRET = 'whsec_1';
const header = signAlert({ body: BODY, secret: SECRET, nowMs: NOW_S * 1_000 + 900 });

const JS_CASES = `
const [header, body, secret, now] = process.argv.slice(2);
const at = Number(now) * 1000;
const forged = header.slice(0, -1) + (header.endsWith('0') ? '1' : '0');
console.log(JSON.stringify([
  verifySignature(header, body, secret, at), verifySignature(header, Buffer.from(body), secret, at),
  verifySignature(header, body + ' ', secret, at), verifySignature(header, body, secret + 'x', at),
  verifySignature(header, body, secret, at + 301_000), verifySignature(forged, body, secret, at),
  verifySignature(undefined, body, secret, at)]));
`;

const PYTHON_CASES = `
import json, sys
header, body, secret, now = sys.argv[1:]
body, at = body.encode(), int(now)
forged = header[:-1] + ("1" if header.endswith("0") else "0")
print(json.dumps([
  verify_signature(header, body, secret, at), verify_signature(header, body, secret, at + 299),
  verify_signature(header, body + b" ", secret, at), verify_signature(header, body, secret + "x", at),
  verify_signature(header, body, secret, at + 301), verify_signature(forged, body, secret, at),
  verify_signature(None, body, secret, at)]))
`;

async function run(command: string, file: string, code: string): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-signature-'));
  try {
    writeFileSync(join(directory, file), code);
    const args = [join(directory, file), header, BODY, SECRET, String(NOW_S)];
    const child = Bun.spawn([command, ...args], { stdout: 'pipe', stderr: 'inherit' });
    return JSON.parse(await new Response(child.stdout).text());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const VERDICTS = [true, true, false, false, false, false, false];

test('the documented check for Node accepts only the signature of the gateway', async () => {
  expect(await run('node', 'verify.mjs', blockOf('js') + JS_CASES)).toEqual(VERDICTS);
});

test.skipIf(Bun.which('python3') === null)('so does the one for Python', async () => {
  expect(await run('python3', 'verify.py', blockOf('python') + PYTHON_CASES)).toEqual(VERDICTS);
});
