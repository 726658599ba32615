import { answerMutants } from './answer-mutants.ts';
import { limitMutants } from './limit-mutants.ts';
import { moneyMutants } from './money-mutants.ts';
import type { Mutant } from './mutant.ts';
import { nodeMutants } from './node-mutants.ts';

export const mutants: readonly Mutant[] = [
  ...moneyMutants,
  ...limitMutants,
  ...answerMutants,
  ...nodeMutants,
];
