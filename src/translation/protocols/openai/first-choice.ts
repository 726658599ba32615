import { listOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** Returns choice 0, the only one that the gateway asks for. Events cannot represent others. */
export const firstChoice = ({ choices }: Fields): Fields | undefined => listOf(choices).find(isFirst);

const isFirst = (choice: unknown): choice is Fields => isObject(choice) && (choice.index ?? 0) === 0;
