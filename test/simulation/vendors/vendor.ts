import type { VendorName } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Host } from '../kernel/host.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { Listener } from '../network/connect.ts';
import type { UpstreamSocket } from '../network/upstream-socket.ts';
import { drawFate } from './draw-fate.ts';
import {
  answerPieces,
  drawText,
  errorBody,
  markerOf,
  type Usage,
  type VendorRequest,
  type Wire,
} from './vendor-answer.ts';

/** The possible answers of a vendor to a request, each with its weight. `good` has no fault. */
const behaviours = {
  good: 100,
  'without usage': 4,
  'error 500': 4,
  'error 503': 3,
  'error 429': 3,
  'error 400': 1,
  'no JSON': 2,
  'reset at once': 3,
  'reset inside': 3,
  'end inside': 2,
  silent: 2,
  'silent inside': 2,
  'reset behind': 2,
};
export type Behaviour = keyof typeof behaviours;

/** The answer of a vendor that a client has asked for. */
export type ScriptedAnswer = { behaviour: Behaviour; afterMs?: number };
/** The answers of the vendors to one request. Other answers are drawn. */
export type Script = Partial<Record<VendorName, ScriptedAnswer>>;

/** One request at a vendor. */
export type VendorCall = {
  readonly vendor: VendorName;
  readonly request: VendorRequest;
  readonly behaviour: Behaviour;
  readonly at: number;
  /** Undefined if the answer reports none. */
  readonly usage: Usage | undefined;
  /** The number of pieces after which the stream reports its usage so far. */
  readonly countsEvery: number | undefined;
  /** The times at which the pieces of the text were sent. The first one is the name of the request. */
  readonly sentAt: number[];
  readonly pieces: number;
  /** The time at which everything was sent. */
  endedAt: number | undefined;
  /** The time at which the gateway has closed the connection, or has died. */
  closedAt: number | undefined;
  /** The process that has called. */
  readonly host: Host;
  /** True if the final usage is sent. */
  hasReported: boolean;
  /** True if the last byte of a good answer is sent. */
  isWhole: boolean;
  /** False when the gateway or the vendor has closed the connection, or the answer is complete. */
  isOpen(): boolean;
};

const MAX_PAUSE_MS = 1_500;
/** The pauses inside a stream. Slow streams outlast the records of their output. */
const PIECE_MS = { usual: [0.1, 400], slow: [100, 4_000] } as const;
/** The pauses in a stream that takes as long as its client wants. They are shorter than `idle_ms`. */
const PING_MS = 3_500;
/** The share of slow streams. The streams of Anthropic begin with a report of usage. */
const SLOW: Record<Wire, number> = { 'openai-chat': 0.2, 'anthropic-messages': 0.4 };

type VendorParts = {
  name: VendorName;
  wire: Wire;
  calls: VendorCall[];
  /** Returns the time that the stream of a request takes. Most requests leave it to the vendor. */
  lastsMs: (marker: string) => number | undefined;
  /** Returns the answers to a request that its client has asked for. */
  scriptOf: (marker: string) => Script | undefined;
  began: (call: VendorCall) => void;
  /** Called when the vendor has sent everything or has closed the connection. */
  ended: (call: VendorCall) => void;
};

/** A simulated upstream that speaks HTTP/1.1 on simulated connections, and has good and bad times. */
export class Vendor implements Listener {
  readonly parts: VendorParts;
  readonly simulation: Simulation;
  readonly random: Draws;
  /** The factor of everything that is not good. */
  trouble = 1;
  isDown = false;
  /** True if requests may still hold slots for connections that were never accepted. */
  hasBeenDown = false;

  constructor(simulation: Simulation, parts: VendorParts) {
    this.parts = parts;
    this.simulation = simulation;
    this.random = simulation.draws(`vendor ${parts.name}`);
  }

  accept(socket: UpstreamSocket): 'accepted' | 'refused' | 'silent' {
    if (this.isDown) this.hasBeenDown = true;
    if (this.isDown) return this.random.chance(0.5) ? 'refused' : 'silent';
    new VendorConnection(this, socket);
    return 'accepted';
  }

  draw(): Behaviour {
    return drawFate(this.random, behaviours, this.trouble);
  }
}

const HEAD_END = '\r\n\r\n';

/** Reads requests from a connection, one after the other. */
class VendorConnection {
  readonly #vendor: Vendor;
  readonly #socket: UpstreamSocket;
  #received = Buffer.alloc(0);
  #isGone = false;
  /** The vendor has closed it. A request that was on its way is sent again on another connection. */
  #isClosed = false;
  /** The calls on this connection, one after the other. */
  readonly #calls: VendorCall[] = [];

  constructor(vendor: Vendor, socket: UpstreamSocket) {
    this.#vendor = vendor;
    this.#socket = socket;
    socket.attach({
      received: (bytes) => this.#take(bytes),
      closed: () => {
        this.#isGone = true;
        for (const call of this.#calls) call.closedAt = vendor.simulation.now;
      },
    });
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    const text = this.#received.toString('latin1');
    const headEnd = text.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
    const end = headEnd + HEAD_END.length + length;
    if (this.#received.length < end) return;
    const body = JSON.parse(this.#received.subarray(headEnd + HEAD_END.length, end).toString());
    this.#received = this.#received.subarray(end);
    this.#answer(body);
  }

  #answer(body: {
    model: string;
    stream?: boolean;
    stream_options?: { include_usage?: boolean };
    max_tokens?: number;
    max_completion_tokens?: number;
    messages: unknown[];
  }): void {
    const { simulation, random, parts } = this.#vendor;
    const request: VendorRequest = {
      wire: parts.wire,
      model: body.model,
      isStream: body.stream === true,
      wantsUsage: body.stream_options?.include_usage === true,
      marker: markerOf(body.messages),
      ceiling: body.max_completion_tokens ?? body.max_tokens,
    };
    const scripted = parts.scriptOf(request.marker)?.[parts.name];
    const behaviour = scripted?.behaviour ?? this.#vendor.draw();
    const { pieces, usage } = drawText(random, request.ceiling);
    const reported = behaviour === 'without usage' ? undefined : usage;
    const countsEvery = random.chance(0.4) ? random.of([1, 6, 20]) : undefined;
    let isOver = false;
    const call: VendorCall = {
      vendor: parts.name,
      request,
      behaviour,
      at: simulation.now,
      usage: reported,
      countsEvery,
      sentAt: [],
      pieces: pieces.length + 1,
      endedAt: undefined,
      closedAt: this.#isClosed ? simulation.now : undefined,
      host: this.#socket.host,
      hasReported: false,
      isWhole: false,
      isOpen: () => !isOver && this.#socket.isOpen,
    };
    this.#calls.push(call);
    parts.calls.push(call);
    parts.began(call);
    simulation.note(`${parts.name} gets ${request.marker}: ${behaviour}`);
    const over = () => {
      if (isOver) return;
      isOver = true;
      call.endedAt = simulation.now;
      parts.ended(call);
    };
    new VendorReply({
      call,
      afterMs: scripted?.afterMs,
      vendor: this.#vendor,
      socket: this.#socket,
      isGone: () => this.#isGone,
      over,
      closes: () => {
        this.#isClosed = true;
      },
    }).send(answerPieces({ request, pieces, usage: reported, countsEvery }));
  }
}

type ReplyParts = {
  call: VendorCall;
  /** The time until the answer begins. Undefined if it is drawn. */
  afterMs: number | undefined;
  vendor: Vendor;
  socket: UpstreamSocket;
  isGone: () => boolean;
  over: () => void;
  /** Closes the connection from the vendor's side. */
  closes: () => void;
};

const head = (status: number, fields: Record<string, string>): string =>
  `HTTP/1.1 ${status} Status\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Sends an answer in pieces, with pauses and with the fault of its behaviour. */
class VendorReply {
  readonly #parts: ReplyParts;

  constructor(parts: ReplyParts) {
    this.#parts = parts;
  }

  send(pieces: string[]): void {
    const { call, vendor, afterMs } = this.#parts;
    if (call.behaviour === 'silent') return;
    const work = this.#workOf(pieces);
    this.#later(afterMs ?? vendor.random.skewed(1, MAX_PAUSE_MS), work);
  }

  #workOf(pieces: string[]): () => void {
    const { behaviour, request } = this.#parts.call;
    if (behaviour === 'reset at once') return () => this.#close('reset');
    const status = /^error (\d+)$/.exec(behaviour)?.[1];
    if (status !== undefined)
      return () => this.#sendWhole(Number(status), errorBody(request.wire, 'The simulated vendor fails.'));
    if (behaviour === 'no JSON') return () => this.#sendWhole(200, 'upstream connect error');
    return request.isStream ? () => this.#sendStream(pieces) : () => this.#sendWhole(200, pieces[0]!);
  }

  #sendWhole(status: number, text: string): void {
    const { call, vendor } = this.#parts;
    const body = Buffer.from(text);
    const fields = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...(status === 429 && { 'retry-after': String(vendor.random.between(1, 3)) }),
    };
    const bytes = Buffer.concat([Buffer.from(head(status, fields)), body]);
    const inside = /inside$/.test(call.behaviour);
    const sent = inside ? bytes.subarray(0, bytes.length - 1 - vendor.random.below(body.length)) : bytes;
    const isWhole = !inside && status === 200 && call.behaviour !== 'no JSON';
    this.#sendCut(sent);
    if (isWhole) call.sentAt.push(...Array<number>(call.pieces).fill(vendor.simulation.now));
    if (inside) this.#breakOff();
    else this.#finish(isWhole);
  }

  #sendStream(pieces: string[]): void {
    const { call, vendor } = this.#parts;
    const fields = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' };
    const inside = /inside$/.test(call.behaviour);
    const lastsMs = vendor.parts.lastsMs(call.request.marker);
    const isStretched = lastsMs !== undefined && call.request.wire === 'anthropic-messages';
    const all = isStretched ? withPings(pieces, lastsMs) : pieces;
    const sent = inside ? all.slice(0, vendor.random.below(all.length)) : all;
    this.#write(Buffer.from(head(200, fields)));
    const [least, most] = PIECE_MS[vendor.random.chance(SLOW[call.request.wire]) ? 'slow' : 'usual'];
    const drawPause = () => (vendor.random.chance(0.3) ? 0 : vendor.random.skewed(least, most));
    let delay = 0;
    for (const piece of sent) {
      delay += isStretched ? PING_MS : drawPause();
      this.#later(delay, () => {
        if (hasText(piece)) call.sentAt.push(this.#parts.vendor.simulation.now);
        call.hasReported ||= reportsOutput(piece, call.usage?.output);
        this.#sendCut(chunk(piece));
      });
    }
    this.#later(delay + 0.01, () => {
      if (inside) {
        this.#breakOff();
        return;
      }
      this.#write(Buffer.from('0\r\n\r\n'));
      this.#finish(true);
    });
  }

  #finish(isWhole: boolean): void {
    const { call, over } = this.#parts;
    call.isWhole = isWhole;
    call.hasReported ||= isWhole;
    over();
    if (call.behaviour === 'reset behind') this.#close('reset');
  }

  #breakOff(): void {
    const { behaviour } = this.#parts.call;
    if (behaviour === 'silent inside') return;
    this.#close(behaviour === 'end inside' ? 'fin' : 'reset');
  }

  /** Sends bytes in two parts sometimes, cut at any place. */
  #sendCut(bytes: Buffer): void {
    const { random } = this.#parts.vendor;
    const isCut = bytes.length >= 2 && random.chance(0.3);
    const at = isCut ? random.between(1, bytes.length - 1) : 0;
    if (isCut) this.#write(bytes.subarray(0, at));
    this.#write(bytes.subarray(at));
  }

  #write(bytes: Buffer): void {
    if (!this.#parts.isGone()) this.#parts.socket.send(bytes);
  }

  #close(how: 'fin' | 'reset'): void {
    this.#parts.over();
    this.#parts.closes();
    this.#parts.socket.close(how);
  }

  #later(delayMs: number, run: () => void): void {
    const { simulation } = this.#parts.vendor;
    simulation.after(delayMs, 'vendor', run, simulation.outside);
  }
}

/** Reports whether the event has this number of output tokens. */
const reportsOutput = (event: string, output: number | undefined): boolean =>
  /"(?:completion|output)_tokens":(\d+)/.exec(event)?.[1] === String(output);

/** Puts events without text into the middle of a stream, so that it lasts as long as wanted. */
const withPings = (pieces: string[], lastsMs: number): string[] => {
  const ping = `event: ping\ndata: {"type":"ping"}\n\n`;
  const pings = Array<string>(Math.max(0, Math.floor(lastsMs / PING_MS) - pieces.length)).fill(ping);
  return pieces.toSpliced(pieces.length / 2, 0, ...pings);
};

/** Reports whether the event has a piece of the text. */
const hasText = (event: string): boolean => /"content":"|"text_delta"/.test(event);

const chunk = (piece: string): Buffer => {
  const body = Buffer.from(piece);
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
};
