import type { JsonObject } from '../../../base/json/json-body.ts';
import type { Path } from '../../../base/schema/format-path.ts';
import type { Extra } from '../../canonical/extra.ts';
import type { LossCode } from '../../canonical/loss.ts';
import type { ReservedField } from '../../canonical/reserved-field.ts';

/** A hosted tool that the request offers. */
export type HostedTool = {
  kind: 'tool';
  extra: Extra;
  loss: LossCode;
  path: Path;
  /** What a choice calls it: its name, else its type. */
  name: string;
};

/** Something in a request that does not go upstream without more ado. */
export type MemberFinding =
  /** A known member in another case. */
  | { kind: 'misspelt'; path: Path }
  /** Costs more than the default that it stands in place of. */
  | { kind: 'preference'; extra: Extra; loss: LossCode; path: Path }
  /** The same, where the answer would be another without it; `price` is what it would be billed by. */
  | { kind: 'requirement'; extra: Extra; price: string | undefined; path: Path }
  | HostedTool
  /** Needs the consent of the provider's row. */
  | { kind: 'reserved'; field: ReservedField; path: Path }
  /** An address that nobody but the operator should reach. */
  | { kind: 'address'; problem: string; path: Path };

/** What is found in one body, in the order of the document. */
export class Inspection {
  readonly body: JsonObject;
  readonly findings: MemberFinding[] = [];
  /** Where the inspection stands. */
  readonly steps: (string | number)[] = [];
  /** Tools of any kind. */
  tools = 0;

  constructor(body: JsonObject) {
    this.body = body;
  }

  /** The place, or one behind it. */
  path(...more: (string | number)[]): Path {
    return [...this.steps, ...more];
  }

  note(finding: MemberFinding): void {
    this.findings.push(finding);
  }

  reserve(field: ReservedField, ...more: (string | number)[]): void {
    this.note({ kind: 'reserved', field, path: this.path(...more) });
  }
}
