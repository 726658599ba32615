import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Json } from '../support/call.ts';
import { waitFor } from '../support/wait-for.ts';
import { PASSWORD } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, fullBrowserTest, screenshot, useBrowser } from './support/use-browser.ts';
import { openWorkGateway, strangersAt } from './work-gateway.ts';

const gateway = await openWorkGateway();
const { server, owner, people, account, at, keysNamed } = gateway;

const asks: Record<string, (model: string, text?: string) => Json> = {
  messages: (model, text = 'say: hello') => ({
    model,
    max_tokens: 200,
    messages: [{ role: 'user', content: text }],
  }),
  responses: (model, text = 'say: hello') => ({ model, input: text, store: false }),
  chat: (model, text = 'say: hello') => ({ model, messages: [{ role: 'user', content: text }] }),
  gemini: (model, text = 'say: hello') => ({ model, contents: [{ role: 'user', parts: [{ text }] }] }),
  'gemini-stream': (model) => ({ model, contents: [{ role: 'user', parts: [{ text: 'say: hello' }] }] }),
};
const endpoints = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
  gemini: '/v1beta/models/{id*}:generateContent',
  'gemini-stream': '/v1beta/models/{id*}:streamGenerateContent',
} as const;
const send = (dialect: string, body: Json, headers: Record<string, string> = {}) =>
  owner.call(at(`/playground/${dialect}`), { body, headers });
const receiptOf = async (id: string) => (await server.admin('GET', `/ledger/entries/${id}`)).body;

describe('the playground', () => {
  test('answers in each dialect, and charges one key that it makes itself', async () => {
    const texts: Json[] = [];
    for (const [dialect, ask] of Object.entries(asks)) {
      const answer = await send(dialect, ask('able'));
      expect({ dialect, status: answer.status, isIncluded: answer.text.includes('hello') }).toEqual({
        dialect,
        status: 200,
        isIncluded: true,
      });
      const id = answer.headers.get('x-svc-request-id')!;
      texts.push(await receiptOf(id));
      const endpoint = endpoints[dialect as keyof typeof endpoints];
      expect(texts.at(-1)).toMatchObject({ receipt: { endpoint } });
      await waitFor(async () => (await server.admin('GET', `/requests/${id}`)).status === 200);
      const record = (await server.admin('GET', `/requests/${id}`)).body;
      expect(record).toMatchObject({ route: endpoint, path: `/dashboard/v1${at(`/playground/${dialect}`)}` });
    }
    const keys = await keysNamed('Playground');
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ revoked_at: null, account_id: account });
    for (const entry of texts)
      expect(entry).toMatchObject({ account_id: account, key_id: keys[0].id, kind: 'usage' });
  });

  test('reports what the translation of a stream drops', async () => {
    const body = { ...asks.chat!('able'), stream: true, logit_bias: { '1': 1 } };
    const answer = await send('chat', body);
    expect(answer.headers.get('content-type')).toStartWith('text/event-stream');
    expect(answer.headers.get('x-svc-translation-losses')).toContain('logit-bias');
    expect(answer.text).toEndWith('data: [DONE]\n\n');
  });

  test('two first requests at the same time leave one valid key', async () => {
    const [known] = (await keysNamed('Playground')).filter(({ revoked_at }) => revoked_at === null);
    await server.admin('DELETE', `/keys/${known.id}`);
    const answers = await Promise.all([1, 2, 3].map(() => send('chat', asks.chat!('able'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const valid = (await keysNamed('Playground')).filter(({ revoked_at }) => revoked_at === null);
    expect(valid).toHaveLength(1);
    expect(valid[0].id).not.toBe(known.id);
  });

  test('obeys the limits of its key', async () => {
    const [key] = (await keysNamed('Playground')).filter(({ revoked_at }) => revoked_at === null);
    await server.admin('PATCH', `/keys/${key.id}`, { allowed_models: ['on-chat'] });
    const refused = await send('chat', asks.chat!('able'));
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    expect((await send('chat', asks.chat!('on-chat'))).status).toBe(200);
    await server.admin('PATCH', `/keys/${key.id}`, { allowed_models: null, monthly_cap_usd: 0.000001 });
    const capped = await send('chat', asks.chat!('able'));
    expect(capped).toMatchObject({ status: 402, body: { error: { code: 'key_budget_exhausted' } } });
    await server.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: null });
    expect((await send('chat', asks.chat!('able'))).status).toBe(200);
  });

  test('quotes without a charge', async () => {
    const before = (await server.admin('GET', `/accounts/${account}`)).body.credits.used;
    const answer = await owner.call(at('/playground/quote?endpoint=/v1/messages'), {
      body: asks.messages!('able'),
    });
    expect(answer.body).toMatchObject({ object: 'quote', endpoint: '/v1/messages', admitted: true });
    expect(answer.body.credits.highest).toBeGreaterThan(answer.body.credits.lowest);
    expect((await server.admin('GET', `/accounts/${account}`)).body.credits.used).toBe(before);
    const gemini = encodeURIComponent('/v1beta/models/{id}:generateContent');
    const other = await owner.call(at(`/playground/quote?endpoint=${gemini}`), {
      body: asks.gemini!('able'),
    });
    expect(other.body).toMatchObject({ object: 'quote', model: 'able', admitted: true });
    const refused = await owner.call(at('/playground/quote'), { body: asks.chat!('paid') });
    expect(refused.body).toMatchObject({ admitted: false, checks: { plan: { admitted: false } } });
  });

  test('lists the models with the key, but not its secret', async () => {
    const { body, text } = await owner.call(at('/playground'));
    expect(body.models.map(({ id }: Json) => id)).toEqual([
      'able',
      'on-chat',
      'blind',
      'slow',
      'late',
      'ill',
      'paid',
    ]);
    expect(body).toMatchObject({
      base_url: server.url,
      key: { name: 'Playground' },
      plan: 'enterprise',
      headers: { request_id: 'x-svc-request-id', losses: 'x-svc-translation-losses' },
    });
    expect(body.models[0]).toMatchObject({ included: true, reasoning_efforts: ['low', 'medium', 'high'] });
    expect(body.models.at(-1)).toMatchObject({ included: false, unlocked_by: 'payg' });
    expect(text).not.toContain('hidden');
    expect(text).not.toMatch(/svc_[0-9A-Za-z]{20}/);
  });

  test('refuses nobody, viewers, other organizations, and pages of other sites', async () => {
    for (const path of ['/playground/messages', '/playground/chat', '/playground/quote'])
      expect(await strangersAt(gateway, { method: 'POST', path, body: asks.chat!('able') })).toEqual([
        401, 401, 404, 403,
      ]);
    expect(await strangersAt(gateway, { path: '/playground' })).toEqual([401, 401, 404, 403]);
    const elsewhere = await send('chat', asks.chat!('able'), { origin: 'https://evil.example' });
    expect(elsewhere.status).toBe(403);
    const keyOnly = await server.call(`/dashboard/v1${at('/playground/chat')}`, {
      body: asks.chat!('able'),
      headers: { origin: server.url, authorization: `Bearer ${gateway.key.key}` },
    });
    expect(keyOnly.status).toBe(401);
  });

  test('a client that leaves is charged for what it got', async () => {
    const stop = new AbortController();
    const body = { ...asks.chat!('slow', 'count to 500'), stream: true };
    const path = `${server.url}/dashboard/v1${at('/playground/chat')}`;
    const response = await fetch(path, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: stop.signal,
      headers: { origin: server.url, cookie: owner.cookie },
    });
    await response.body!.getReader().read();
    stop.abort();
    const id = response.headers.get('x-svc-request-id')!;
    let entry: Json;
    do entry = await receiptOf(id);
    while (entry.kind !== 'usage');
    expect(entry.receipt.outcome).toBe('left');
  });
});

describe('the page of the playground', () => {
  const { openPage } = useBrowser(server);
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
  const ask = async (page: Page, text: string) => {
    await composer(page).fill(text);
    await sendButton(page).click();
  };
  const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' });
  const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });

  browserTest('leads from an invitation to the first answer and its receipt', async () => {
    const page = await openPage(await gateway.invite('new@ours.example', 'developer'));
    await page.getByLabel('Your name').fill('New');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Playground' }).first().click();
    await composer(page).fill('say: welcome');
    await page.getByText('Quote:').waitFor();
    await sendButton(page).click();
    await conversation(page).getByText('[simulated] welcome').waitFor();
    await receipt(page).getByText('credits').waitFor();
    await receipt(page).getByText('Time to first token').waitFor();
    await checkPage(page);
    await receipt(page).getByRole('link', { name: 'Request details' }).click();
    await page.waitForURL(/\/requests\/req_/);
  });

  browserTest('forgets the answer that arrives when another conversation begins', async () => {
    const page = await openPage('/playground?model=slow&dialect=chat', { person: owner });
    await ask(page, 'count to 100');
    await conversation(page).getByText('[simulated]').waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('No messages yet').waitFor();
    await page.goto('/playground?model=slow&dialect=chat&with=on-chat,able');
    await ask(page, 'count to 100');
    await page.getByRole('button', { name: 'Go on with this answer of on-chat' }).click();
    await page.waitForURL((url) => url.searchParams.get('model') === 'on-chat');
    const shown = await conversation(page).innerText();
    expect(shown).toContain('count to 100');
    await page.getByText('No answer yet.').nth(1).waitFor();
    await Bun.sleep(300); // the stopped answer has ended
    expect(await conversation(page).innerText()).toBe(shown);
    expect(await page.getByRole('button', { name: /^Go on/ }).count()).toBe(0);
  });

  browserTest('keeps the part of an answer that had arrived when the page was left', async () => {
    const page = await openPage('/playground?model=slow&dialect=chat', { person: owner });
    await ask(page, 'count to 100');
    const parts = conversation(page).getByText('[simulated]');
    await parts.waitFor();
    await page.reload();
    await ask(page, 'count to 200');
    await parts.nth(1).waitFor();
    await page.getByRole('link', { name: 'Keys' }).first().click();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.goBack().then(() => parts.nth(1).waitFor());
  });

  fullBrowserTest('keeps the model, the dialect and the conversation over a reload', async () => {
    const page = await openPage('/playground?model=on-chat&dialect=responses', { person: owner });
    await ask(page, 'say: first');
    await page.getByText('Stop reason').waitFor();
    await page.getByLabel('Dialect').selectOption('chat');
    await page.reload();
    await conversation(page).getByText('[simulated] first').waitFor();
    expect(new URL(page.url()).search).toBe('?model=on-chat&dialect=chat');
    await ask(page, 'say: second');
    await conversation(page).getByText('[simulated] second').waitFor();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('client.chat.completions.create(').waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('No messages yet').waitFor();
    await expectSound(page);
  });

  fullBrowserTest('lets the person answer calls of tools, and names what is wrong with a tool', async () => {
    for (const dialect of ['messages', 'responses', 'chat', 'gemini']) {
      const page = await openPage(`/playground?model=able&dialect=${dialect}`, { person: owner });
      await page.getByRole('button', { name: 'Add tools' }).click();
      await page.getByRole('textbox', { name: 'Tools' }).fill('[{"name":');
      await composer(page).fill('use a tool');
      await page.getByText('This is not valid JSON').waitFor();
      expect(await sendButton(page).isDisabled()).toBe(true);
      await page.getByRole('textbox', { name: 'Tools' }).fill('');
      await page.getByRole('button', { name: 'Insert an example' }).click();
      await sendButton(page).click();
      await page.getByLabel('Result of get_weather').fill('sunny');
      if (dialect === 'messages') await expectAccessible(page);
      await page.getByRole('button', { name: 'Send the result' }).click();
      await conversation(page).getByText('sunny').first().waitFor();
      await composer(page).waitFor();
      expect(await conversation(page).locator('.turn.assistant').count()).toBe(2);
      await expectSound(page);
      page.release();
    }
  });

  fullBrowserTest(
    'sends an image that the browser has scaled down, and refuses a file that is none',
    async () => {
      const page = await openPage('/playground?model=able&dialect=chat', { person: owner });
      const files = page.locator('input[type=file]');
      await files.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') });
      await page.getByText('a.txt is not an image.').waitFor();
      await files.setInputFiles({
        name: 'a.png',
        mimeType: 'image/png',
        buffer: await pngOf(page, 3_000, 600),
      });
      await page.getByRole('img', { name: 'Attached, number 1' }).waitFor();
      await ask(page, 'What is it?');
      await conversation(page)
        .getByText('1 image')
        .or(conversation(page).getByText('image'))
        .first()
        .waitFor();
      const width = await conversation(page)
        .getByRole('img')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth);
      expect(width).toBe(1_568);
      await expectSound(page);
      await page.getByRole('combobox', { name: 'Model' }).fill('blind');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Add images' }).waitFor({ state: 'detached' });
    },
  );

  fullBrowserTest('stops an answer, and charges what was written', async () => {
    const page = await openPage('/playground?model=slow&dialect=chat', { person: owner });
    await ask(page, 'count to 500');
    await conversation(page).getByText('[simulated]').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await receipt(page).getByText('You stopped the answer.').waitFor();
    await receipt(page).getByText('credits', { exact: false }).waitFor();
    await composer(page).waitFor();
    await expectSound(page);
  });

  fullBrowserTest('explains refusals before and after sending, and a failure of the provider', async () => {
    const page = await openPage('/playground?model=paid&dialect=messages', { person: owner });
    await composer(page).fill('hi');
    await page.getByText('This request would be refused').waitFor();
    await sendButton(page).click();
    await page.getByText('Refused with 400: payg_required').waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Model' }).fill('ill');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText(/Refused with 5\d\d/).waitFor();
    await page.getByRole('combobox', { name: 'Model' }).fill('on-chat');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send again' }).click();
    await conversation(page).getByText('[simulated]').waitFor();
    await expectSound(page);
  });

  fullBrowserTest('a failed message is shown, and not sent again with the next one', async () => {
    const page = await openPage('/playground?model=ill&dialect=messages', { person: owner });
    await ask(page, 'say: this fails');
    await page.getByText(/Refused with 5\d\d/).waitFor();
    await conversation(page).getByText('Failed, not sent again').waitFor();
    await page.getByRole('combobox', { name: 'Model' }).fill('able');
    await page.keyboard.press('Enter');
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/playground/messages')),
      ask(page, 'say: next'),
    ]);
    expect(request.postDataJSON().messages).toEqual([{ role: 'user', content: 'say: next' }]);
    await conversation(page).getByText('[simulated] next').waitFor();
    await expectSound(page);
  });

  fullBrowserTest(
    'compares models side by side, each with its cost, and asks for JSON of a schema',
    async () => {
      const page = await openPage('/playground?model=able&with=on-chat,ill&dialect=chat', { person: owner });
      await page.getByRole('button', { name: 'Add a JSON schema' }).click();
      const schema = page.getByLabel('JSON schema of the answer');
      await schema.fill('{');
      await page.getByText('This is not valid JSON').waitFor();
      await schema.fill('{"type":"object"}');
      const bodies: Json[] = [];
      page.on('request', (one) => {
        if (one.url().endsWith('/playground/chat')) bodies.push(one.postDataJSON());
      });
      await ask(page, 'say: compared');
      const column = (model: string) => page.getByRole('article', { name: model, exact: true });
      for (const model of ['able', 'on-chat'])
        await column(model).getByText('credits', { exact: false }).waitFor();
      await column('ill')
        .getByText(/Refused with 5\d\d/)
        .waitFor();
      expect(bodies.map(({ model }) => model).sort()).toEqual(['able', 'ill', 'on-chat']);
      const format = { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } };
      expect(bodies[0]!.response_format).toEqual(format);
      await checkPage(page, 'playground-compared');
      await page.setViewportSize({ width: 360, height: 780 });
      await screenshot(page, 'playground-compared-phone');
      await expectSound(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: 'Go on with this answer of on-chat' }).click();
      await page.waitForURL((url) => url.searchParams.get('model') === 'on-chat');
      await page.getByRole('button', { name: 'Do not compare ill' }).click();
      await page.waitForURL((url) => !(url.searchParams.get('with') ?? '').includes('ill'));
      await expectSound(page);
    },
  );

  fullBrowserTest('is closed to viewers, and fits a phone in the dark', async () => {
    const closed = await openPage('/playground', { person: people.viewer });
    await closed.getByText('Your role cannot send requests').waitFor();
    await expectAccessible(closed);
    const page = await openPage('/playground?model=able', { person: owner, dark: true, width: 360 });
    await ask(page, 'say: small');
    await conversation(page).getByText('[simulated] small').waitFor();
    await receipt(page).getByText('credits').waitFor();
    await checkPage(page);
  });
});

/** Returns an image file that the browser draws. */
const pngOf = async (page: Page, width: number, height: number): Promise<Buffer> => {
  const text = await page.evaluate(
    async ([wide, high]) => {
      const canvas = new OffscreenCanvas(wide!, high!);
      canvas.getContext('2d')!.fillRect(0, 0, 20, 20);
      const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
      return btoa(String.fromCharCode(...bytes));
    },
    [width, height],
  );
  return Buffer.from(text, 'base64');
};
