import type { Provider } from '../../settings/hosts/providers.ts';
import type { Submission } from './native-store.ts';

/** The target of a submission. */
export type NativeTarget = Pick<Submission, 'wire' | 'upstreamModel'> & { provider: Provider };

/** The text of an answer, and the target that gave it. */
export type NativeAnswer = NativeTarget & { text: string };
