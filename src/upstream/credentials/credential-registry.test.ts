import { expect, test } from 'bun:test';
import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialRegistry } from './credential-registry.ts';

const planIn = (region: string): AwsPlan => ({ kind: 'aws', region }) as AwsPlan;

test('providers with the same settings share a credential, which a reload keeps', () => {
  const registry = new CredentialRegistry();
  const credential = registry.of('one', planIn('a'));
  expect(registry.of('two', planIn('a'))).toBe(credential);
  expect(registry.of('one', planIn('a'))).toBe(credential);
  expect(registry.of('one', planIn('b'))).not.toBe(credential);
});

test('the two latest settings of one id keep their credentials', () => {
  const registry = new CredentialRegistry();
  const reload = () => [registry.of('one', planIn('built-in')), registry.of('one', planIn('own'))];
  const first = reload();
  const second = reload();
  expect(second[0]).toBe(first[0]);
  expect(second[1]).toBe(first[1]);
  const next = [registry.of('one', planIn('x')), registry.of('one', planIn('y'))];
  expect(next[0]).not.toBe(next[1]);
  const again = reload();
  expect(again[0]).not.toBe(first[0]);
  expect(again[1]).not.toBe(first[1]);
});
