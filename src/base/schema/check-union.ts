import { isObject } from '../lib/is-object.ts';
import { lookUp } from '../lib/records.ts';
import { describeLiteral, listed, typeNouns } from './describe-value.ts';
import { couldBe, type Fields, typesOf } from './json-type.ts';
import type { ProblemSearch } from './problem-search.ts';
import { branchesOf, hasLiteral, type Literal, literalsOf, type SchemaNode } from './schema-node.ts';

type Attempt = (trial: ProblemSearch, branch: SchemaNode) => void;
export type Walk = (search: ProblemSearch, node: SchemaNode, value: unknown) => void;

export const mustBeOneOf = (literals: readonly Literal[]): string => {
  const words = [...new Set(literals)].map(describeLiteral);
  return words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(', ')}`;
};

/** Describes what any of the branches accepts: "must be auto, none or an object". */
function expectation(branches: readonly SchemaNode[]): string {
  const literals = branches.flatMap((branch) => literalsOf(branch) ?? []);
  const nouns = branches
    .flatMap((branch) => (literalsOf(branch) ? [] : typesOf(branch)))
    .map((type) => typeNouns[type]);
  if (nouns.length === 0) return mustBeOneOf(literals);
  return `must be ${listed([...new Set([...literals.map(describeLiteral), ...nouns])])}`;
}

/** Returns the schema of a field if it is limited to literals. */
function literalFieldOf({ properties = {} }: SchemaNode, name: string): SchemaNode | undefined {
  const field = lookUp(properties, name);
  return field && literalsOf(field) ? field : undefined;
}

/** Lists the fields that can distinguish the branches. Fields that more branches have come first. */
function discriminators(branches: readonly SchemaNode[]): string[] {
  const counts = new Map<string, number>();
  for (const branch of branches) {
    for (const name of Object.keys(branch.properties ?? {})) {
      if (literalFieldOf(branch, name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort((one, other) => other[1] - one[1]).map(([name]) => name);
}

/** Reports whether the value's field allows the branch. */
const isOpenAt = (branch: SchemaNode, name: string, fields: Fields): boolean => {
  if (fields[name] === undefined && !branch.required?.includes(name)) return true;
  if (!Object.hasOwn(fields, name)) return false;
  const field = literalFieldOf(branch, name);
  return field === undefined || hasLiteral(field, fields[name]);
};

/** Keeps the branches that the discriminating fields allow. If none is left, reports the field. */
function narrow(
  search: ProblemSearch,
  branches: readonly SchemaNode[],
  fields: Fields,
): readonly SchemaNode[] {
  let remaining = branches;
  for (const name of discriminators(branches)) {
    if (remaining.length < 2) break;
    const open = remaining.filter((branch) => isOpenAt(branch, name, fields));
    if (open.length === 0) {
      const literals = remaining.flatMap((branch) => {
        const field = literalFieldOf(branch, name);
        return (field && literalsOf(field)) ?? [];
      });
      search.at(name, () => {
        if (Object.hasOwn(fields, name)) search.reportValue(mustBeOneOf(literals), fields[name]);
        else search.report(literals.length === 0 ? 'is required' : `is required: ${mustBeOneOf(literals)}`);
      });
      return [];
    }
    remaining = open;
  }
  return remaining;
}

/** Reports whether the first problem of `trial` lies deeper or later in the value than that of `other`. */
function isFurther(trial: ProblemSearch, other: ProblemSearch): boolean {
  const path = trial.problems[0]!.path;
  const otherPath = other.problems[0]!.path;
  for (const [index, step] of path.entries()) {
    const otherStep = otherPath[index];
    if (otherStep === undefined) return true;
    if (typeof step === 'number' && typeof otherStep === 'number' && step !== otherStep)
      return step > otherStep;
  }
  return false;
}

/** Tries each branch in full. If none fits, reports the problems of the branch that got furthest. */
function tryEach(search: ProblemSearch, branches: readonly SchemaNode[], attempt: Attempt): number {
  let best: ProblemSearch | undefined;
  let fitting = 0;
  for (const branch of branches) {
    const trial = search.trial();
    attempt(trial, branch);
    if (trial.problems.length === 0) fitting++;
    else if (best === undefined || isFurther(trial, best)) best = trial;
  }
  if (fitting === 0 && best !== undefined) search.adopt(best);
  return fitting;
}

function checkBranches(search: ProblemSearch, branches: readonly SchemaNode[], attempt: Attempt): number {
  if (branches.length !== 1) return tryEach(search, branches, attempt);
  attempt(search, branches[0]!);
  return 1;
}

/** Reports problems inside the branch that the value most resembles, never about the union itself. */
export function checkUnion(search: ProblemSearch, node: SchemaNode, value: unknown, walk: Walk): void {
  const branches = branchesOf(node) ?? [];
  const typed = branches.filter((branch) => couldBe(branch, value));
  if (typed.length === 0) search.reportType(expectation(branches), value);
  else if (typed.every((branch) => literalsOf(branch) && !hasLiteral(branch, value))) {
    search.reportValue(expectation(branches), value);
  } else {
    const candidates = isObject(value) ? narrow(search, typed, value) : typed;
    const fitting = checkBranches(search, candidates, (trial, branch) => walk(trial, branch, value));
    if (fitting > 1 && node.oneOf) search.report('fits more than one of the allowed forms');
  }
}
