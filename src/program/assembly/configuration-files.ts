import { constants } from 'node:fs';
import { access, realpath, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OneByOne } from '../../base/lib/one-by-one.ts';
import type {
  ConfigurationService,
  ShownConfiguration,
  WriteOutcome,
} from '../../console/admin/configuration-service.ts';
import type { ReloadOutcome } from '../../console/admin/reload-outcome.ts';
import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import {
  hasUnknownMark,
  type MaskedText,
  maskSecrets,
  unmaskSecrets,
} from '../../settings/config/mask-secrets.ts';
import { readTextFile } from '../../settings/config/read-text-file.ts';
import { replaceFile, writeNew } from '../../settings/config/replace-file.ts';
import { readContents } from '../../settings/snapshot/read-contents.ts';
import type { ConfigOrigin } from '../../settings/snapshot/read-snapshot.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

export type ConfigurationFilesParts = {
  origin: ConfigOrigin;
  supportedWires: ReadonlySet<Wire>;
  /** Returns a reason why no process may write the file, even if the file system permits it. */
  refusesWrites(): Promise<string | undefined>;
  reload(actor: string): Promise<ReloadOutcome>;
};

type KnownFile = { file: string; original: string; hash: string; masked: MaskedText };

const hashOf = (text: string): string => Bun.CryptoHasher.hash('sha256', text, 'hex');

/** The configuration file of this process. Secrets never leave it, and a change puts them back. */
export class ConfigurationFiles implements ConfigurationService {
  readonly #parts: ConfigurationFilesParts;
  readonly #writes = new OneByOne();

  constructor(parts: ConfigurationFilesParts) {
    this.#parts = parts;
  }

  async show(): Promise<ShownConfiguration> {
    const { file } = this.#parts.origin;
    const configuration = await this.#read();
    if ('reason' in configuration)
      return { file, text: null, hash: null, isWritable: false, reason: configuration.reason };
    const reason = await this.#whyNotWritable(configuration.file);
    return {
      file,
      text: configuration.masked.text,
      hash: configuration.hash,
      isWritable: reason === null,
      reason,
    };
  }

  async check(text: string): Promise<readonly ConfigProblem[]> {
    const configuration = await this.#read();
    return this.#problemsOf(text, 'reason' in configuration ? undefined : configuration);
  }

  /** One write at a time, so that two operators cannot both replace the same content. */
  write(order: { text: string; hash: string; actor: string }): Promise<WriteOutcome> {
    return this.#writes.run(() => this.#write(order));
  }

  async #write({ text, hash, actor }: { text: string; hash: string; actor: string }): Promise<WriteOutcome> {
    const configuration = await this.#read();
    if ('reason' in configuration) return { kind: 'refused', reason: configuration.reason };
    if (configuration.hash !== hash) return { kind: 'changed' };
    const reason = await this.#whyNotWritable(configuration.file);
    if (reason !== null) return { kind: 'refused', reason };
    const problems = await this.#problemsOf(text, configuration);
    if (problems.length > 0) return { kind: 'problems', problems };
    const isReplaced = await replaceFile(configuration.file, {
      from: configuration.original,
      to: wholeText(text, configuration),
    });
    if (!isReplaced) return { kind: 'changed' };
    return { kind: 'written', reloaded: await this.#parts.reload(actor) };
  }

  async #read(): Promise<KnownFile | { reason: string }> {
    const { file } = this.#parts.origin;
    if (file === null) return { reason: 'The server runs without a configuration file.' };
    const contents = await readTextFile(file);
    if ('reason' in contents) return { reason: `The configuration file ${contents.reason}.` };
    const masked = maskSecrets(contents.text);
    if (!masked)
      return { reason: 'The configuration file is not valid YAML, so its secrets cannot be hidden.' };
    return { file: await realpath(file), original: contents.text, hash: hashOf(contents.text), masked };
  }

  async #whyNotWritable(file: string): Promise<string | null> {
    const refused = await this.#parts.refusesWrites();
    if (refused !== undefined) return refused;
    try {
      await access(file, constants.W_OK);
      await access(dirname(file), constants.W_OK);
      return null;
    } catch {
      return 'The process may not write the file and its folder.';
    }
  }

  /** The text is checked as a start would read it, from a file that only this user can read. */
  async #problemsOf(text: string, configuration: KnownFile | undefined): Promise<readonly ConfigProblem[]> {
    const { origin, supportedWires } = this.#parts;
    if (configuration && hasUnknownMark(text, configuration.masked.secrets))
      return [unknownMark(origin.file)];
    const folder = tmpdir();
    const file = join(folder, `tollgate-check-${crypto.randomUUID()}.yaml`);
    await writeNew(file, configuration ? wholeText(text, configuration) : text, 0o600);
    try {
      const contents = await readContents({ origin: { ...origin, file }, supportedWires });
      const problems = 'problems' in contents ? contents.problems : [];
      return problems.map((problem) => ({
        ...problem,
        file: problem.file === file ? origin.file : problem.file,
      }));
    } finally {
      await unlink(file);
    }
  }
}

const unknownMark = (file: string | null): ConfigProblem => ({
  file,
  line: null,
  column: null,
  field: '',
  message: 'names a secret placeholder that the file does not contain',
});

/** Puts the secrets back, and the line endings that the file has. */
function wholeText(text: string, { masked, original }: KnownFile): string {
  const plain = unmaskSecrets(
    text.replaceAll('\r\n', '\n'),
    masked.secrets.map((secret) => secret.replaceAll('\r\n', '\n')),
  );
  return original.includes('\r\n') ? plain.replaceAll('\n', '\r\n') : plain;
}
