import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(tmpdir(), 'tollgate-check-openapi');

/** The places of the tools and of their files. */
export const places = {
  folder,
  document: join(folder, 'openapi.json'),
  /** The document as the generator of the Python client can read it. */
  documentOfClient: join(folder, 'openapi-of-client.json'),
  /** The settings of Redocly. */
  linting: join(folder, 'redocly.yaml'),
  /** The settings of Spectral. */
  ruleset: join(folder, 'spectral.json'),
  types: join(folder, 'api.ts'),
  /** The virtual environment of Python. */
  python: join(folder, 'python'),
  client: join(folder, 'client'),
  clientSettings: join(folder, 'client.json'),
};
