import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { addressProblems } from './address-problems.ts';
import type { SignInProviderRow } from './dashboard-schema.ts';

/** Finds the first field of a provider of sign-ins that its kind lacks, or that is for another kind. */
export function signInProblems(row: SignInProviderRow, index: number): SchemaProblem[] {
  const { id, kind, issuer, tenant } = row;
  const problem = (field: string, message: string): SchemaProblem[] => [
    { path: ['dashboard', 'providers', index, field], message },
  ];
  if (kind === 'oidc' && id === null) return problem('id', 'is required for oidc');
  if (kind !== 'oidc' && id !== null) return problem('id', 'is only for oidc');
  if (kind === 'oidc' && issuer === null) return problem('issuer', 'is required for oidc');
  if (kind !== 'oidc' && issuer !== null) return problem('issuer', 'is only for oidc');
  if (kind !== 'microsoft' && tenant !== null) return problem('tenant', 'is only for microsoft');
  return addressProblems(issuer, ['dashboard', 'providers', index, 'issuer']);
}
