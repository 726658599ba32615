import { Badge } from '../../components/badge.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { formatTokens } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { formatMicrocredits } from '../../components/microcredits.ts';
import { Failure } from './failure.tsx';
import type { Observed } from './run-request.ts';
import { type Receipt, type SettledRequest, useReceipt } from './use-receipt.ts';

type OutcomeProps = {
  observed: Observed;
  onRetry?: (() => void) | undefined;
  /** Names the model for screen readers if the page shows several outcomes. */
  model?: string;
};

/** Shows the end of the latest request: its receipt, or its failure. */
export function Outcome({ observed, onRetry, model }: OutcomeProps) {
  const { requestId, problem, wasStopped, isSimulated, losses } = observed;
  const receipt = useReceipt(requestId, { isCharged: problem === null });
  const { settled } = receipt;
  const isCharged = problem === null || Boolean(settled?.receipt);
  return (
    <section class="outcome card" aria-label={model === undefined ? 'Receipt' : `Receipt of ${model}`}>
      {problem && <Failure problem={problem} refusal={settled?.request?.refusal} onRetry={onRetry} />}
      {wasStopped && <p>You stopped the answer. The tokens up to then are charged.</p>}
      {isSimulated && <p class="soft">The simulator answered, because no provider is configured.</p>}
      <Facts facts={[...(isCharged ? costFacts(receipt) : []), ...timeFacts(observed, settled)]} />
      {losses.length > 0 && <Losses losses={losses} />}
      {requestId && (
        <p class="outcome-more">
          <a href={`/requests/${encodeURIComponent(requestId)}`}>Request details</a>{' '}
          <code class="soft">{requestId}</code>
        </p>
      )}
    </section>
  );
}

function costFacts({ settled, isWaiting }: Receipt): Fact[] {
  if (!settled?.receipt) {
    const unknown = <span class="soft">{isWaiting ? '…' : 'not known yet'}</span>;
    return ['Cost', 'Input', 'Output'].map((label) => [label, unknown]);
  }
  const { microcredits, tokens } = settled.receipt;
  const input = tokens.uncached_input + tokens.cached_input + tokens.cache_write_input;
  return [
    ['Cost', `${formatMicrocredits(microcredits)} credits`],
    ['Input', <TokenCount tokens={input} part={tokens.cached_input} partName="cached" />],
    ['Output', <TokenCount tokens={tokens.output} part={tokens.reasoning} partName="thinking" />],
  ];
}

type TokenCountProps = { tokens: number; part: number; partName: string };

const TokenCount = ({ tokens, part, partName }: TokenCountProps) => (
  <>
    {formatTokens(tokens)} tokens
    {part > 0 && (
      <span class="soft">
        {' '}
        ({formatTokens(part)} {partName})
      </span>
    )}
  </>
);

function timeFacts(observed: Observed, settled: SettledRequest | undefined): (Fact | false)[] {
  const { firstPartMs, totalMs, queueMs, stopReason } = observed;
  // The server measures without the way to the browser.
  const firstTokenMs = settled?.request?.first_token_ms ?? firstPartMs;
  return [
    firstTokenMs !== null && ['Time to first token', formatDuration(firstTokenMs)],
    ['Total time', formatDuration(totalMs)],
    queueMs !== null && queueMs > 0 && ['Queued', formatDuration(queueMs)],
    stopReason !== null && ['Stop reason', <code>{stopReason}</code>],
  ];
}

const Losses = ({ losses }: { losses: readonly string[] }) => (
  <p class="outcome-losses">
    The request was translated to another protocol. Dropped parts:{' '}
    {losses.map((loss) => (
      <Badge key={loss} tone="warning">
        {loss}
      </Badge>
    ))}
  </p>
);
