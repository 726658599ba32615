import type { MaybeLater } from '../../base/lib/after.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
export type UpstreamCall = {
  target: Target;
  wire: Wire;
  path: string;
  body: string;
  stream: boolean;
  client: AbortSignal;
  graceMs: number;
  left?: (() => void) | undefined;
  calledOff?: AbortSignal | undefined;
  /** Where the client speaks the wire's own protocol: what it says to the vendor beside the body. */
  clientHeaders?: Headers | undefined;
  /** By name: what travels on in place of that; null for nothing. */
  headerEdits?: Readonly<Record<string, string | null>> | undefined;
  /** What a whole answer may hold. */
  mostBytes: number;
  /** Makes room for more bytes of a whole answer. */
  makeRoom?: ((bytes: number) => MaybeLater<boolean>) | undefined;
};
