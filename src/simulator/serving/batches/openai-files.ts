import type { Failure } from '../../model/wire.ts';
import { OPENAI_CHAT } from '../../wires/openai-chat.ts';
import { sendFailure } from '../send-answer.ts';
import type { BatchCall, SimulatedBatchParts } from './batch-call.ts';
import { RecentValues } from './recent-values.ts';

const FILES = /^\/files(?:\/(?<id>[^/]+)(?<content>\/content)?)?$/;

type NamedText = { id: string; name: string; purpose: string; text: string };
type StoredFile = NamedText & { createdSeconds: number };

const refuse = (failure: Failure): Response => sendFailure(OPENAI_CHAT, failure);

/** The files of OpenAI, for batches only. */
export class OpenaiFiles {
  readonly #parts: Pick<SimulatedBatchParts, 'newId' | 'nowSeconds'>;
  readonly #files = new RecentValues<StoredFile>();

  constructor(parts: Pick<SimulatedBatchParts, 'newId' | 'nowSeconds'>) {
    this.#parts = parts;
  }

  get(id: string): NamedText | undefined {
    return this.#files.get(id);
  }

  keep(file: NamedText): StoredFile {
    return this.#files.add(file.id, { ...file, createdSeconds: this.#parts.nowSeconds() });
  }

  /** Answers calls of the files' endpoints. Returns undefined if the path belongs to none. */
  async answer({ request, path }: BatchCall): Promise<Response | undefined> {
    const groups = FILES.exec(path)?.groups;
    if (!groups) return undefined;
    const { id, content } = groups;
    if (id === undefined) {
      if (request.method === 'POST') return this.#upload(request);
      return Response.json({ object: 'list', data: this.#files.all.map(viewOf), has_more: false });
    }
    const file = this.#files.get(id);
    if (!file) return refuse({ status: 404, message: 'There is no such file.' });
    if (request.method === 'DELETE') {
      this.#files.remove(id);
      return Response.json({ id, object: 'file', deleted: true });
    }
    return content === undefined ? Response.json(viewOf(file)) : new Response(file.text);
  }

  async #upload(request: Request): Promise<Response> {
    const form = await request.formData().catch(() => undefined);
    const file = form?.get('file');
    if (!form || !(file instanceof Blob))
      return refuse({ status: 400, message: "Missing required parameter: 'file'.", param: 'file' });
    const stored = this.keep({
      id: this.#parts.newId('file-'),
      name: file instanceof File ? file.name : 'file',
      purpose: String(form.get('purpose') ?? ''),
      text: await file.text(),
    });
    return Response.json(viewOf(stored));
  }
}

const viewOf = ({ id, name, purpose, text, createdSeconds }: StoredFile) => ({
  id,
  object: 'file',
  bytes: Buffer.byteLength(text),
  created_at: createdSeconds,
  filename: name,
  purpose,
  status: 'processed',
});
