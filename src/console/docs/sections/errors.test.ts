import { expect, test } from 'bun:test';
import { errorsSection } from './errors.ts';

const rowOf = (page: string, code: string): string =>
  new RegExp(`<tr id="error-${code}"[\\s\\S]*?</tr>`).exec(page)![0];

test('the table of errors has the status, the type and an example of each envelope [ADM-18]', () => {
  const { text } = errorsSection(['openai', 'messages', 'google']);
  const row = rowOf(text, 'capacity_unavailable');
  expect(row).toContain('503 or 529');
  expect(row).toContain('server_error, overloaded_error or UNAVAILABLE');
  expect(rowOf(text, 'invalid_api_key')).toContain('authentication_error or UNAUTHENTICATED');
  for (const mark of ['&quot;param&quot;', '&quot;type&quot;: &quot;error&quot;', 'google.rpc.ErrorInfo'])
    expect(text).toContain(mark);
});
