import { join } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { readBuild } from './read-build.ts';

const { commit, date } = readBuild(join(import.meta.dir, '..', '..', '..'));

/** The version with its commit, for example `1.2.0+70ccaf59`. The commit is missing if nothing names it. */
export const version = commit === undefined ? packageFile.version : `${packageFile.version}+${commit}`;

/** The day on which the commit was made (UTC). It is empty if it is unknown. */
export const versionDate = date ?? '';
