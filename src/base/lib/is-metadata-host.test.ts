import { expect, test } from 'bun:test';
import { isMetadataHost } from './is-metadata-host.ts';

test.each([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  'metadata.google.internal.',
  'metadata.goog',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:a9fe:aa02]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[fd20:ce::254]',
])('%s is a metadata server', (hostname) => {
  expect(isMetadataHost(hostname)).toBe(true);
});

test.each([
  '169.254.1.1',
  '8.8.8.8',
  '[2002:808:808::1]',
  'example.com',
])('%s is not a metadata server', (hostname) => {
  expect(isMetadataHost(hostname)).toBe(false);
});
