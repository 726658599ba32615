import { objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** Returns the name in a tool, or in a reference to one. A tool that only its host knows may lack a name. */
export const toolNameIn = ({ function: declared, custom }: Fields): string | undefined =>
  textOf(objectOf(declared ?? custom).name);
