#!/usr/bin/env node
// Checks /openapi.json with the tools that read it: `npm run check:openapi [-- TEXT...]`. Texts of names
// choose some of the checks. The tools are installed from their registries into a temporary folder, and call
// a server with the simulator. A missing tool is a failure, and it is named.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from './clients/start-gateway.mjs';
import { openapiChecks } from './openapi/openapi-checks.mjs';
import { installTools, runTool } from './openapi/openapi-tools.mjs';
import { places } from './openapi/places.mjs';
import { reportChecks } from './report-checks.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * The generator does not know the types of sound and of a batch's results. Its classes of enums cannot have
 * two values that differ in their case only. Its other warnings mean that a part of the client is missing.
 */
const settingsOfClient = {
  literal_enums: true,
  content_type_overrides: {
    'application/x-jsonl': 'application/octet-stream',
    'audio/mpeg': 'application/octet-stream',
  },
  post_hooks: [],
};

/** The generator gives the fields `image` and `image[]` of a form the same name, so it gets one of them. */
function documentOfClient(text) {
  const document = JSON.parse(text);
  delete document.components.schemas.ImageEditForm.properties['image[]'];
  return JSON.stringify(document);
}

/** A WebSocket begins with the status 101, which neither linter takes for a success. */
const settingsOfRedocly = { 'operation-2xx-response': 'off' };
const settingsOfSpectral = { 'operation-success-response': 'off' };

/** Returns why a check failed. */
function problemOf(check, gateway) {
  const { status, stdout = '', stderr = '', error } = runTool(check, check.options(gateway));
  const source = check.isPython ? 'Python 3 with pip' : 'npm';
  if (error) return `${check.program} is missing: ${source} could not install it.`;
  return status !== 0 || check.refuses?.test(stdout + stderr) ? stdout + stderr : undefined;
}

const texts = process.argv.slice(2);
const chosenChecks = openapiChecks.filter(
  ({ name }) => texts.length === 0 || texts.some((text) => name.includes(text)),
);
if (chosenChecks.length === 0) throw new Error(`No check has a name with ${texts.join(' or ')}.`);

installTools();
const gateway = await startGateway(root);
try {
  const text = await (await fetch(`${gateway.url}/openapi.json`)).text();
  // Redocly warns about addresses of this machine, which no other reader can use.
  writeFileSync(places.document, text.replaceAll(gateway.url, 'https://gateway.test'));
  writeFileSync(places.documentOfClient, documentOfClient(text));
  writeFileSync(places.linting, JSON.stringify({ extends: ['recommended'], rules: settingsOfRedocly }));
  writeFileSync(places.ruleset, JSON.stringify({ extends: ['spectral:oas'], rules: settingsOfSpectral }));
  writeFileSync(places.clientSettings, JSON.stringify(settingsOfClient));
  await reportChecks(chosenChecks, (check) => problemOf(check, gateway));
} finally {
  await gateway.stop();
}
