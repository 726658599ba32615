import type { Json } from '../call.ts';
import { messageStream } from './message-stream.ts';
import { type WorstBill, worstBill } from './worst-bill.ts';
import type { WorstVendor } from './worst-calls.ts';
import { worstWires } from './worst-wires.ts';

/** Starts an upstream of all wires that bills the most that each request allows. It streams only messages. */
export function startWorstUpstream(vendor: WorstVendor) {
  const requests: Json[] = [];
  let bills: WorstBill[] = [];
  let excess = 1;
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = (await request.json()) as Json;
      const [wire, { answer }] = Object.entries(worstWires).find(([, { path }]) => path.test(pathname))!;
      const bill = worstBill(body, vendor, { thinksBeyondCeiling: wire === 'openai-chat' });
      requests.push(body);
      bills.push(bill);
      const reported = { ...bill, input: bill.input * excess, output: bill.output * excess };
      const whole = answer(reported, body);
      if (body.stream !== true) return Response.json(whole);
      return new Response(messageStream(whole), { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return {
    url: server.url.origin,
    requests,
    bills: () => bills,
    /** Reports this many times what the limits allow. */
    exceed(times: number) {
      excess = times;
    },
    forget() {
      bills = [];
      excess = 1;
      requests.length = 0;
    },
    stop: () => server.stop(true),
  };
}
