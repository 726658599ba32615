import { expect } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import type { Fault } from './fault.ts';
import { faultOptions } from './fault-options.ts';
import { countHolds, findContradictions, producedByHolds } from './read-ledger.ts';

/** Opens a data directory and an upstream that outlive their servers. */
export function openFaultyGateway(settings: Record<string, unknown> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-faults-'));
  const dataDirectory = join(directory, 'data');
  const upstream = startRecordingUpstream();
  const config = { ...sampleConfig(upstream.url), plans: wideLimits, ...settings };
  const servers = new Set<TestServer>();
  return {
    upstream,
    dataDirectory,
    /** Returns the path of a file. A fault is on while the file exists. */
    switchFile: (name: string) => join(directory, name),
    async start(fault: Fault = {}, environment: Record<string, string> = {}): Promise<TestServer> {
      const options = faultOptions(fault);
      const server = await startServer({
        config,
        dataDirectory,
        ...options,
        environment: { ...options.environment, ...environment },
      });
      servers.add(server);
      return server;
    },
    async kill(server: TestServer, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      server.signal(signal);
      await server.exited;
    },
    /** Expects that the ledger verifies, and that no hold is left. */
    async expectSettledLedger(server: TestServer): Promise<void> {
      expect({
        contradictions: findContradictions(dataDirectory),
        holds: countHolds(dataDirectory),
        faults: await server.ledgerFaults(),
      }).toEqual({ contradictions: [], holds: 0, faults: [] });
    },
    contradictions: () => findContradictions(dataDirectory),
    holds: () => countHolds(dataDirectory),
    produced: () => producedByHolds(dataDirectory),
    /** Stops all servers and removes the directory. */
    async close(): Promise<void> {
      await Promise.all([...servers].map((server) => server.stop()));
      upstream.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export const switchOn = (file: string): void => writeFileSync(file, '');
export const switchOff = (file: string): void => rmSync(file);

type Reader = { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };

/** Reads the rest of an answer until it ends or its connection closes. */
export async function restOf(reader: Reader): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
      text += decoder.decode(value, { stream: true });
  } catch {
    // The connection closed before the whole answer arrived.
  }
  return text;
}

/** Sends a streamed request, and returns the text that arrived. */
export const askForStream = (url: string, key: string, fields: Json = {}): Promise<string> =>
  openStream(url, key, fields).then(
    ({ body }) => restOf(body!.getReader()),
    () => '',
  );

export const openStream = (url: string, key: string, fields: Json = {}, signal?: AbortSignal) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: bearer(key),
    body: JSON.stringify(chatBody('test-small', { stream: true, ...fields })),
    ...(signal && { signal }),
  });
