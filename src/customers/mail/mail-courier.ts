import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { waitAtMost } from '../../base/lib/wait-at-most.ts';
import type { Config } from '../../settings/config/config-schema.ts';

/** A mail to one person. `kind` is for logs and views, which never show the text. */
export type Mail = { kind: string; to: string; subject: string; text: string };

export type MailSettings = Config['mail'];

/** Sends one mail. Rejects if the server did not take it. */
export type SendMail = (settings: MailSettings, mail: Mail) => Promise<void>;

/** The state of the mail that operators see. Addresses and texts are not in it. */
export type MailState = {
  isConfigured: boolean;
  waiting: number;
  sent: number;
  failed: number;
  lastFailure: { at: number; kind: string; error: string; isFinal: boolean } | null;
};

export type MailCourierParts = {
  settings(): MailSettings;
  send: SendMail;
  now(): number;
  report(level: 'info' | 'warn' | 'error', event: string, fields: Record<string, unknown>): void;
};

/** A mail with its failed attempts so far. `onGivenUp` is called after the last one. */
type Letter = { mail: Mail; failures: number; onGivenUp: (() => Promise<void>) | undefined };

const MAX_WAITING = 1_000;
const MAILS_AT_A_TIME = 4;
const DELAYS = { firstMs: 2_000, maxMs: 300_000 };
/** The longest time that a stop waits for attempts under way. */
const MAX_CLOSE_MS = 2_000;
/** The attempts spread over half an hour. Links of mails that come later would surprise. */
const MAX_ATTEMPTS = 12;

/**
 * Sends mails in the background. A mail that fails is tried again, for at most half an hour, unless its
 * address does not exist. A stop drops the waiting mails.
 */
export class MailCourier {
  readonly #parts: MailCourierParts;
  readonly #ready: Letter[] = [];
  readonly #timers = new Set<Timer>();
  readonly #underWay = new Set<Promise<void>>();
  #sent = 0;
  #failed = 0;
  #lastFailure: MailState['lastFailure'] = null;
  #isClosed = false;

  constructor(parts: MailCourierParts) {
    this.#parts = parts;
  }

  get isConfigured(): boolean {
    return this.#parts.settings().host !== null;
  }

  get state(): MailState {
    return {
      isConfigured: this.isConfigured,
      waiting: this.#waiting,
      sent: this.#sent,
      failed: this.#failed,
      lastFailure: this.#lastFailure,
    };
  }

  get #waiting(): number {
    return this.#ready.length + this.#timers.size + this.#underWay.size;
  }

  /**
   * Takes a mail. Returns false if no server is configured or too many mails wait. `onGivenUp` is called
   * after the last failed attempt.
   */
  post(mail: Mail, onGivenUp?: () => Promise<void>): boolean {
    if (this.#isClosed || !this.isConfigured) return false;
    if (this.#waiting >= MAX_WAITING) {
      this.#noteFailure(mail, { error: 'too many mails wait', isFinal: true });
      return false;
    }
    this.#ready.push({ mail, failures: 0, onGivenUp });
    this.#sendNext();
    return true;
  }

  /** Drops the waiting mails, and waits for the attempts under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#ready.length = 0;
    await waitAtMost(MAX_CLOSE_MS, Promise.allSettled(this.#underWay));
  }

  #sendNext(): void {
    while (!this.#isClosed && this.#ready.length > 0 && this.#underWay.size < MAILS_AT_A_TIME) {
      const attempt: Promise<void> = this.#attempt(this.#ready.shift()!).finally(() => {
        this.#underWay.delete(attempt);
        this.#sendNext();
      });
      this.#underWay.add(attempt);
    }
  }

  async #attempt(letter: Letter): Promise<void> {
    const { settings, send } = this.#parts;
    try {
      await send(settings(), letter.mail);
      this.#sent++;
    } catch (error) {
      letter.failures++;
      const isFinal = letter.failures >= MAX_ATTEMPTS || isUnknownAddress(error);
      this.#noteFailure(letter.mail, { error: reasonOf(error), isFinal });
      // The letter is lost either way, and its failure is logged.
      if (isFinal) await letter.onGivenUp?.().catch(() => {});
      else this.#retryLater(letter);
    }
  }

  #retryLater(letter: Letter): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#ready.push(letter);
        this.#sendNext();
      },
      backoffMs(letter.failures - 1, DELAYS),
    );
    timer.unref();
    this.#timers.add(timer);
  }

  #noteFailure({ kind }: Mail, { error, isFinal }: { error: string; isFinal: boolean }): void {
    if (isFinal) this.#failed++;
    this.#lastFailure = { at: this.#parts.now(), kind, error, isFinal };
    this.#parts.report(isFinal ? 'error' : 'warn', 'mail-failed', { kind, error, isFinal });
  }
}

/**
 * Reports whether the server has refused the address for good (RFC 5321 4.2.1). Further attempts would keep
 * other mails from their places.
 */
const isUnknownAddress = (error: unknown): boolean => {
  const { rejected, responseCode } = objectOf(error);
  return Array.isArray(rejected) && typeof responseCode === 'number' && responseCode >= 500;
};

/** Returns the codes of the failure alone, since messages can contain the address or the password. */
function reasonOf(error: unknown): string {
  const parts = [codeOfError(error), objectOf(error)['responseCode']].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' ') : 'unknown';
}
