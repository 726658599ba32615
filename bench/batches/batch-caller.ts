const POLL_MS = 25;

/** A client of `/v1/batches` that does not keep the bodies that it reads. */
export class BatchCaller {
  readonly #address: string;
  readonly #headers: Record<string, string>;

  constructor({ url, key }: { url: string; key: string }) {
    this.#address = `${url}/v1/batches`;
    this.#headers = { authorization: `Bearer ${key}` };
  }

  /** Creates a batch and returns its id. */
  async create(model: string, { items, bytesEach }: { items: number; bytesEach: number }): Promise<string> {
    const content = 'hello '.repeat(Math.ceil(bytesEach / 6));
    const params = { model, messages: [{ role: 'user', content }] };
    const requests = Array.from({ length: items }, (_, index) => ({ custom_id: `i${index}`, params }));
    const answer = await this.#ask('', { method: 'POST', body: JSON.stringify({ requests }) });
    return ((await answer.json()) as { id: string }).id;
  }

  /** Waits until a batch has ended. */
  async untilEnded(id: string): Promise<void> {
    for (;;) {
      const view = (await (await this.#ask(`/${id}`)).json()) as { processing_status: string };
      if (view.processing_status === 'ended') return;
      await Bun.sleep(POLL_MS);
    }
  }

  /** Asks for the end of a batch, and does not wait for it. */
  async cancel(id: string): Promise<void> {
    await (await this.#ask(`/${id}/cancel`, { method: 'POST' })).arrayBuffer();
  }

  /** Reads the results and returns the number of lines. */
  async readResults(id: string): Promise<number> {
    const { body } = await this.#ask(`/${id}/results`);
    let lines = 0;
    for await (const chunk of body!) for (const byte of chunk) if (byte === 10) lines++;
    return lines;
  }

  async #ask(path: string, options: RequestInit = {}): Promise<Response> {
    const answer = await fetch(this.#address + path, { ...options, headers: this.#headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}
