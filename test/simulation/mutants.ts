import type { StoreKind } from './gateway/store-kind.ts';
import type { SourceChange } from './load-sources.ts';

/** Deliberate faults of the money, queue and limit code. Simulated runs must find each of them. */
export type Mutant = { name: string; store: StoreKind; change: SourceChange };

const row = (name: string, file: string, before: string, after: string): Mutant => ({
  name,
  store: 'sqlite',
  change: { file: `src/${file}`, before, after },
});

/** Makes a fault of several nodes on one database. */
const nodes = (name: string, file: string, before: string, after: string): Mutant => ({
  ...row(name, `store/postgres/${file}`, before, after),
  store: 'postgres',
});

export const mutants: readonly Mutant[] = [
  row(
    'answers end before their entry is on the disk',
    'store/sqlite/group-commit-writer.ts',
    'await this.#flush();\n      this.observer',
    'void this.#flush();\n      this.observer',
  ),
  row(
    'a stream ends before its settlement',
    'inference/reply/stream-reply.ts',
    '    const usage = estimate.soFar(stream.produced);\n    const unsettled',
    '    const usage = estimate.soFar(stream.produced);\n    await writeText(writer, closing);\n    const unsettled',
  ),
  row(
    'a spooled settlement is not flushed',
    'store/spool/file-spool.ts',
    'await this.#file.datasync();\n      this.#end += bytes.length;',
    'this.#end += bytes.length;',
  ),
  row(
    'a request can have two entries',
    'store/sqlite/ledger/posting-write.ts',
    '    id: usageEntryId(requestId),',
    '    id: usageEntryId(requestId + performance.now()),',
  ),
  row(
    'a slot of a provider is never free again',
    'upstream/capacity/provider-slots.ts',
    '    this.#inUse--;\n',
    '',
  ),
  row(
    'open holds do not count against purchased credit',
    'money/ledger/account-book.ts',
    '    const free = freePurchased({ granted, used, held });',
    '    const free = freePurchased({ granted, used, held: 0 * held });',
  ),
  row(
    'open holds do not count against the cap of a key',
    'money/ledger/account-book.ts',
    '    return cap - used - held;',
    '    return cap - used - 0 * held;',
  ),
  row(
    'monthly credits never end',
    'money/ledger/account-book.ts',
    'if (used >= (limit ?? Number.MAX_SAFE_INTEGER) + granted)',
    'if (used >= 1e6 * (limit ?? Number.MAX_SAFE_INTEGER) + granted)',
  ),
  row(
    'a crash charges what it should not',
    'store/sqlite/ledger/posting-write.ts',
    '      if (hold.isKept) deleteHold(connection, hold.order.requestId);\n',
    '',
  ),
  row(
    'a window admits one request more',
    'money/limits/limit-checks.ts',
    'taken + amount <= limit ? 0',
    'taken + amount <= limit + 1 ? 0',
  ),
  row(
    'a window admits one request less',
    'money/limits/limit-checks.ts',
    'waitFor(requests, windows.requests, figures.requestsPerMinute, nowMs);',
    'waitFor(requests, windows.requests, figures.requestsPerMinute - 1, nowMs);',
  ),
  row(
    'one concurrent request more is admitted',
    'money/limits/limit-checks.ts',
    'windows.underWay < figures.concurrent',
    'windows.underWay <= figures.concurrent',
  ),
  row(
    'a concurrent place is never free again',
    'money/limits/take-count.ts',
    '    windows.underWay--;\n',
    '',
  ),
  row(
    'a provider gets one call more than it has slots',
    'upstream/capacity/provider-slots.ts',
    'return this.#inUse < this.#limit &&',
    'return this.#inUse <= this.#limit &&',
  ),
  row(
    'Free requests are served before paid ones',
    'upstream/capacity/provider-slots.ts',
    '    if (this.#freeCredit < 1) return paid.next(share);\n    this.#freeCredit -= 1;\n',
    '',
  ),
  row(
    'an item of a batch runs again after its success',
    'store/sqlite/batches/items.ts',
    'const finishSql = `UPDATE batch_item SET state = $result WHERE',
    "const finishSql = `UPDATE batch_item SET state = 'queued' WHERE $result <> 'none' AND",
  ),
  row(
    'output is charged at the price of input',
    'money/ledger/cost-of-usage.ts',
    'cachedInput * rates.cachedInput + output * rates.output;\n  if',
    'cachedInput * rates.cachedInput + output * rates.input;\n  if',
  ),
  row(
    'budgets forget a charge while it is written',
    'money/ledger/account-book.ts',
    '    this.#count(order, spent, 1);\n    this.#budgets.reserve(order, spent.microcredits);',
    '    this.#count(order, spent, 1);',
  ),
  row(
    'open holds do not count against a budget',
    'money/budgets/budget-counters.ts',
    'room = Math.min(room, limit - used - held);',
    'room = Math.min(room, limit - used + 0 * held);',
  ),
  row(
    'the row of a voided hold stays if the disk fails',
    'store/sqlite/ledger/sqlite-ledger.ts',
    '.catch(() => this.#ended.add(order.requestId));',
    '.catch(() => {});',
  ),
  row(
    'the output of an open request is recorded once',
    'inference/settlement/tab.ts',
    '(usage ? outputTotal(usage) : 0) === this.#noted.posting.receipt.tokens.output;',
    '(usage ? outputTotal(usage) : 0) >= 0;',
  ),
  row(
    'the first report of usage in a stream is final',
    'translation/canonical/estimate-usage.ts',
    '(isWhole && counted > 0) || counted >= answerText.tokens ?',
    'counted > 0 || counted >= answerText.tokens ?',
  ),
  row(
    'a repeated request gets an answer that was not charged',
    'inference/recording/look-at-log.ts',
    '(await own.ledger.findEntry(entryIdOf(requestId))) !== undefined;',
    '(await own.ledger.findEntry(entryIdOf(requestId))) !== null;',
  ),
  row(
    'a bin of a window leaves one window after its first use',
    'money/limits/sliding-window.ts',
    'this.#usedAt[place] = Math.max(this.#usedAt[place]!, nowMs, this.#newest * this.#binMs);',
    'this.#usedAt[place] ||= Math.max(nowMs, this.#newest * this.#binMs);',
  ),
  row(
    'a request that a limit refuses keeps its hold',
    'money/limits/local-gate.ts',
    "    this.#ledger.void(held);\n    return { kind: 'limited'",
    "    return { kind: 'limited'",
  ),
  row(
    'the request that waited longest is served last',
    'upstream/capacity/fair-queue.ts',
    'return queue?.items.first;',
    'return queue?.items.last;',
  ),
  row(
    'settlements in the spool do not count against monthly credits',
    'money/ledger/account-book.ts',
    "if (order.pays === 'monthly') this.#bucketOf(order).used += microcredits;",
    "if (order.pays === 'monthly') this.#bucketOf(order).used += 0 * microcredits;",
  ),
  row(
    'settlements leave the spool before they are in the store',
    'inference/settlement/postings.ts',
    '      await Promise.all(batch.map(([, posting]) => this.#postLate(posting)));\n      await spool.remove(batch.map(([requestId]) => requestId));',
    '      await spool.remove(batch.map(([requestId]) => requestId));\n      await Promise.all(batch.map(([, posting]) => this.#postLate(posting)));',
  ),
  row(
    'the estimate of a prompt stays in the window of tokens',
    'money/limits/take-count.ts',
    'else window.giveBack(this.#takenAtMs, now, tokens - actual);',
    'else window.giveBack(this.#takenAtMs, now, 0 * (tokens - actual));',
  ),
  row(
    'a client that leaves the queue keeps its place',
    'upstream/routing/take-slot.ts',
    '      waiter?.leave();\n',
    '',
  ),
  row(
    'a record of a hold is written after its end',
    'store/sqlite/ledger/write-checkpoints.ts',
    'if (!(hold instanceof OpenHold && hold.isOpen)) continue;',
    'if (!(hold instanceof OpenHold)) continue;',
  ),
  row(
    'credit that is taken back twice at once is deducted twice',
    'store/sqlite/ledger/give-credit.ts',
    'if (isNew === microcredits > 0) bucket.granted += isNew ? microcredits : -microcredits;',
    'if (isNew && microcredits > 0) bucket.granted += microcredits;',
  ),
  row(
    'a repeated movement of money is made again',
    'console/admin/entry-id-of.ts',
    "'hex').slice(0, 40)}`, isKeyed: true };",
    "'hex').slice(0, 40) + performance.now()}`, isKeyed: true };",
  ),
  row(
    'credit that a request holds can be taken back',
    'money/ledger/account-book.ts',
    '(microcredits > 0 || mayOwe || total >= used + held)',
    '(microcredits > 0 || mayOwe || total >= used + 0 * held)',
  ),
  row(
    'grants do not count',
    'money/ledger/account-book.ts',
    'if (used >= (limit ?? Number.MAX_SAFE_INTEGER) + granted)',
    'if (used >= (limit ?? Number.MAX_SAFE_INTEGER) + 0 * granted)',
  ),
  row(
    'a changed cap of a key is not noticed',
    'program/assembly/accounts-of.ts',
    'onKeyChanged: ({ id }) => authenticator.forgetKey(id),',
    'onKeyChanged: () => {},',
  ),
  row(
    'a changed plan is not noticed',
    'program/assembly/accounts-of.ts',
    'onAccountChanged: (id) => authenticator.forgetAccount(id),',
    'onAccountChanged: () => {},',
  ),
  row(
    'a changed budget is not noticed',
    'store/sqlite/ledger/sqlite-budgets.ts',
    '    this.#rules.set(this.#accountId, after);\n',
    '',
  ),
  row(
    'holds of a raised cap lower the charge of an earlier request',
    'money/ledger/charged.ts',
    'within(cost, Math.max(held, leftOfCap + held))',
    'within(cost, leftOfCap + held)',
  ),
  row(
    'a conversation does not show what was added',
    'store/sqlite/responses/responses.ts',
    '  connection.run(countPartSql, [id, holder, expiresAt, until, bytes]);\n',
    '',
  ),
  row(
    'two requests add to a conversation at once',
    'store/stored-conversations.ts',
    '(holder IS NULL OR holder = $4 OR held_until <= $3)',
    '(holder IS NOT NULL OR holder IS NULL OR held_until <= $3 + $4)',
  ),
  row(
    'a conversation stays held after its answer',
    'store/stored-conversations.ts',
    'SET holder = NULL, held_until = 0 WHERE id = $1 AND holder = $2',
    'SET holder = holder WHERE id = $1 AND holder = $2',
  ),
  row(
    'a response in the background has another request after a crash',
    'inference/background/background-responses.ts',
    'const exchange = this.#exchangeOf(row.requestId, {',
    "const exchange = this.#exchangeOf(row.requestId + 'x', {",
  ),
  nodes(
    'the holds of a lost node never end',
    'functions/nodes.sql',
    'voided := void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = p_id));',
    'voided := 0;',
  ),
  nodes(
    'the places of a lost node are never free',
    'functions/nodes.sql',
    'PERFORM return_places(p_id);',
    'DELETE FROM gate_call g WHERE g.node = p_id;',
  ),
  nodes(
    'a closed node still settles',
    'functions/post-entries.sql',
    'PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL;',
    'PERFORM 1 FROM node WHERE id = p_node;',
  ),
  nodes(
    'a settlement that is sent again posts twice',
    'ledger/settlements.ts',
    "group.map(({ piece }) => piece).join(',')",
    "group.map(({ piece }) => piece.replace('ent_', 'ent_' + performance.now().toFixed())).join(',')",
  ),
  nodes(
    'open holds of other nodes do not count against purchased credit',
    'functions/gate.sql',
    'free := granted[op.b] - used[op.b] - held[op.b];',
    'free := granted[op.b] - used[op.b];',
  ),
  nodes(
    'open holds of other nodes do not count against the cap of a key',
    'functions/gate.sql',
    'room := op.cap - key_used[op.m] - key_held[op.m];',
    'room := op.cap - key_used[op.m];',
  ),
  nodes(
    'open holds of other nodes do not count against a budget',
    'functions/budgets.sql',
    'budget_limit(o.rule, p_at) - s.used - s.held, s.used',
    'budget_limit(o.rule, p_at) - s.used, s.used',
  ),
  nodes(
    'nodes together admit one concurrent request more',
    'functions/gate.sql',
    'ELSIF op.cc AND under[op.a] >= op.fc THEN',
    'ELSIF op.cc AND under[op.a] > op.fc THEN',
  ),
  nodes(
    'the window of all nodes admits one request more',
    'functions/gate.sql',
    'IF total[w] > 0 AND total[w] + op.rq > op.f1 THEN\n          fault :=',
    'IF total[w] > 0 AND total[w] + op.rq > op.f1 + 1 THEN\n          fault :=',
  ),
  nodes(
    'an admission that is sent again counts again',
    'functions/gate.sql',
    'IF last_number >= p_number THEN RETURN answer; END IF;',
    '',
  ),
  nodes(
    'an attempt of a lost node still finishes an item',
    'functions/batch-items.sql',
    "AND attempt = (place ->> 'attempt')::integer AND state = 'running'",
    "AND state IN ('running', 'succeeded')",
  ),
];
