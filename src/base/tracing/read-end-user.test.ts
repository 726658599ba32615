import { describe, expect, test } from 'bun:test';
import { bodyUser, readEndUser } from './read-end-user.ts';

const none = new Headers();
const session = '6f2c1c9e-0000-4000-8000-3b1d2e4f5a6b';

describe('user and session are read from', () => {
  test.each([
    ['Claude Code', `user_ab12_account_9_session_${session}`, 'user_ab12_account_9', session],
    ['Claude Code with a key', `user_ab12_account__session_${session}`, 'user_ab12', session],
    ['a user and a session', 'user_7_session_8', 'user_7', '8'],
    ['a later Claude Code', `{"device_id":"d","account_uuid":"","session_id":"${session}"}`, 'd', session],
    ['a user alone', 'somebody', 'somebody', undefined],
    ['a text that is no JSON', '{somebody', '{somebody', undefined],
  ])('metadata.user_id of %s', (_, user_id, user, found) => {
    expect(readEndUser(none, { metadata: { user_id }, user: 'other' })).toEqual({ user, session: found });
  });

  test('`user`, if metadata names none', () => {
    expect(readEndUser(none, { user: 'me', metadata: { other: 1 } })).toEqual({
      user: 'me',
      session: undefined,
    });
    expect(readEndUser(none, { user: 5, metadata: 'x' })).toEqual({ user: undefined, session: undefined });
  });

  test('`safety_identifier`, which replaces `user`', () => {
    expect(readEndUser(none, { safety_identifier: 'hash', user: 'me' }).user).toBe('hash');
    expect(bodyUser({ safety_identifier: 'hash', user: 'me' })).toBe('hash');
    expect(bodyUser({ metadata: { user_id: 'user_7_session_8' }, user: 'me' })).toBe('user_7');
    expect(bodyUser({ metadata: {} })).toBeUndefined();
  });

  test("Open WebUI's headers first", () => {
    const headers = new Headers({ 'x-openwebui-user-id': 'u1', 'x-openwebui-chat-id': 'c1' });
    expect(readEndUser(headers, { user: 'me' })).toEqual({ user: 'u1', session: 'c1' });
  });
});

test('long values are cut', () => {
  expect(readEndUser(none, { user: 'x'.repeat(1_000) }).user).toHaveLength(256);
});
