// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of configurations
import { expect, test } from 'bun:test';
import { hasUnknownMark, maskSecrets, unmaskSecrets } from './mask-secrets.ts';

const text = `# the providers
providers:
  - id: own
    base_url: https://models.internal/v1   # no secret
    api_key: "sk-in-the-file"
    headers: { x-team: abc, x-other: \${OTHER} }
  - id: other
    base_url: https://user:pass@models.internal/v1
    api_key: \${OTHER_KEY}
  # api_key: sk-commented-out
alerts:
  webhooks:
    - url: https://hooks.example/T0/B0/secret
      secret: |
        whsec_of_two
        lines
server: { port: 8080 }
`;

test('masks what stands in the file and keeps placeholders, comments and the rest', () => {
  const masked = maskSecrets(text)!;
  for (const secret of ['sk-in-the-file', 'abc', 'pass@', 'sk-commented-out', 'T0/B0', 'whsec_of_two'])
    expect(masked.text).not.toContain(secret);
  for (const kept of [
    '# the providers',
    '${OTHER}',
    '${OTHER_KEY}',
    'https://models.internal/v1   # no secret',
    'port: 8080',
  ])
    expect(masked.text).toContain(kept);
  expect(unmaskSecrets(masked.text, masked.secrets)).toBe(text);
});

test('an edited text gets its secrets back wherever their marks stand', () => {
  const { text: shown, secrets } = maskSecrets(
    'providers:\n  - { id: a, api_key: one }\n  - { id: b, api_key: two }\n',
  )!;
  const swapped = shown
    .split('\n')
    .toSpliced(1, 2, ...shown.split('\n').slice(1, 3).reverse())
    .join('\n');
  expect(unmaskSecrets(swapped, secrets)).toBe(
    'providers:\n  - { id: b, api_key: two }\n  - { id: a, api_key: one }\n',
  );
  expect(hasUnknownMark(swapped, secrets)).toBe(false);
  expect(hasUnknownMark('a: __SECRET_9__', secrets)).toBe(true);
});

test('a text that is not valid YAML is not shown', () => {
  expect(maskSecrets('providers: [\n')).toBeUndefined();
});
