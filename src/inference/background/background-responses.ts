import type { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { BackgroundArrival } from '../request/background-starter.ts';
import type { BackgroundParts } from './background-parts.ts';
import type { BackgroundResponse } from './background-store.ts';
import { beginBackground } from './begin-background.ts';
import { cancelBackground } from './cancel-background.ts';
import { HELD_MS, RunningJobs } from './running-jobs.ts';
import { takeUpBackground } from './take-up-background.ts';

const LOOK_EVERY_MS = 1_000;
const LOOK_AT_OTHERS_EVERY_MS = 5_000;

/** Begins and cancels responses in the background, and takes up those that other processes have left. */
export class BackgroundResponses {
  readonly #parts: BackgroundParts;
  readonly #jobs: RunningJobs;
  #timer: Timer | undefined;
  #lookedAtOthersAt = 0;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
    this.#jobs = new RunningJobs(parts);
  }

  /** Makes again what the previous process or another node has left. */
  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
    if (this.#parts.isAlone) this.#takeUpAll().catch(this.#parts.onFailure);
    else this.#look();
  }

  /** Takes up no more responses of other processes. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** Leaves the responses to the next process. */
  async close(): Promise<void> {
    this.leave();
    await this.#looking;
    this.leave(); // one may have been taken up meanwhile
    await this.#jobs.ended();
  }

  /** Puts back the responses of this process, since the other nodes have closed it and voided their holds. */
  putBack(): void {
    this.#jobs.leave(new Unavailable('The node was closed by the others', 'retry the request'));
  }

  /** Ends the work on all responses without their end. */
  leave(): void {
    this.stop();
    this.#jobs.leave(new Unavailable('The server is shutting down', 'retry the request'));
  }

  /** Checks a request, holds its credit and begins the response. */
  begin(arrived: BackgroundArrival): Promise<Reply | Refusal> {
    return beginBackground(this.#jobs, arrived);
  }

  /** Cancels a response, and waits until it has ended. Returns undefined if there is none. */
  cancel(wanted: { id: string; keyId: string }): Promise<BackgroundResponse | undefined> {
    const { store, services } = this.#parts;
    return cancelBackground(wanted, {
      store,
      clock: services.clock,
      ownJob: () => this.#jobs.find(wanted.id),
    });
  }

  /** Renews what this process holds, and takes up what others have left. */
  #look(): void {
    this.#looking ??= this.#lookOnce()
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #lookOnce(): Promise<void> {
    const { store, services } = this.#parts;
    const now = services.clock.now();
    await this.#jobs.putBackUnended();
    if (this.#jobs.size > 0)
      for (const id of await store.renewHeld(this.#jobs.holder, now + HELD_MS))
        this.#jobs.find(id)?.job.cancel();
    if (Math.abs(now - this.#lookedAtOthersAt) < LOOK_AT_OTHERS_EVERY_MS) return;
    this.#lookedAtOthersAt = now;
    for (const id of await store.listUnheld({ now })) await this.#takeUp(id, now);
  }

  /** Takes up what the previous process has left, however long it would still hold it. */
  async #takeUpAll(): Promise<void> {
    const ids = await this.#parts.store.listUnheld({ notBy: this.#jobs.holder });
    for (const id of ids) await this.#takeUp(id, Number.MAX_SAFE_INTEGER);
  }

  /** Takes up a response that no process holds at the time `heldAt`. */
  async #takeUp(id: string, heldAt: number): Promise<void> {
    if (this.#isStopped || this.#jobs.find(id)) return;
    const { store, services } = this.#parts;
    const heldUntil = services.clock.now() + HELD_MS;
    const response = await store.takeBackground({ ...this.#jobs.holdOn(id), now: heldAt, heldUntil });
    if (!response) return;
    await takeUpBackground(this.#jobs, response).catch((error: unknown) => this.#jobs.lose(id, error));
  }
}
