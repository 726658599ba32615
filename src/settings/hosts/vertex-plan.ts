import type { Environment } from '../../base/lib/environment.ts';
import { namePatterns } from '../config/name-patterns.ts';
import { cloudEnvironment } from './cloud-environment.ts';
import type { GooglePlan } from './cloud-plan.ts';

/** The variables become parts of addresses. */
const PROJECT = new RegExp(namePatterns.googleProject.pattern);
const REGION = new RegExp(namePatterns.googleRegion.pattern);

/**
 * Returns the credential of the built-in provider of Vertex AI. Returns undefined if the environment has no
 * project, or no valid one.
 */
export function vertexPlan(environment: Environment): GooglePlan | undefined {
  const { GOOGLE_CLOUD_PROJECT: project, GOOGLE_CLOUD_LOCATION: location } = environment;
  const region = location || 'global';
  if (!project || !PROJECT.test(project) || !REGION.test(region)) return undefined;
  return {
    kind: 'google',
    source: 'auto',
    credentialsFile: null,
    project,
    region,
    environment: cloudEnvironment(environment),
  };
}

/** Returns the missing or invalid variable for which `vertexPlan` makes no credential. */
export const missingForVertex = ({ GOOGLE_CLOUD_PROJECT: project }: Environment): string =>
  project && PROJECT.test(project) ? 'GOOGLE_CLOUD_LOCATION' : 'GOOGLE_CLOUD_PROJECT';

/** Returns the address of Vertex AI in a region. */
export const vertexAddress = (region: string): string =>
  region === 'global'
    ? 'https://aiplatform.googleapis.com/v1'
    : `https://${region}-aiplatform.googleapis.com/v1`;
