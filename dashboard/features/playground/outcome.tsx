import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { formatCredits, formatDuration, formatTokens } from '../../components/format.ts';
import { microcreditsToCredits } from '../../components/microcredits.ts';
import { Notice } from '../../components/notice.tsx';
import { adviceFor } from './advice.ts';
import { AdviceText } from './advice-text.tsx';
import type { Observed } from './run-request.ts';
import { type Receipt, type SettledRequest, useReceipt } from './use-receipt.ts';

/** `of` names the model where there are several receipts. */
type OutcomeProps = { observed: Observed; onRetry?: (() => void) | undefined; of?: string };

/** Shows the end of the latest request: its receipt, or its failure. */
export function Outcome({ observed, onRetry, of }: OutcomeProps) {
  const { requestId, problem, wasStopped } = observed;
  const receipt = useReceipt(requestId, { isCharged: problem === null });
  const { settled } = receipt;
  return (
    <section class="outcome card" aria-label={of === undefined ? 'Receipt' : `Receipt of ${of}`}>
      {problem && <Failure observed={observed} settled={settled} onRetry={onRetry} />}
      {wasStopped && <p>You stopped the answer. The tokens up to then are charged.</p>}
      {observed.isSimulated && <p class="soft">The simulator answered, because no provider is configured.</p>}
      <Facts facts={[...(problem && !settled?.receipt ? [] : costs(receipt)), ...times(observed, settled)]} />
      {observed.losses.length > 0 && <Losses losses={observed.losses} />}
      {requestId && (
        <p class="outcome-more">
          <a href={`/requests/${encodeURIComponent(requestId)}`}>Request details</a>{' '}
          <code class="soft">{requestId}</code>
        </p>
      )}
    </section>
  );
}

function costs({ settled, isWaiting }: Receipt): Fact[] {
  const receipt = settled?.receipt;
  const missing = <span class="soft">{isWaiting ? '…' : 'not known yet'}</span>;
  const cost = receipt ? `${formatCredits(microcreditsToCredits(receipt.microcredits))} credits` : missing;
  const tokens = receipt?.tokens;
  const input = tokens && tokens.uncached_input + tokens.cached_input + tokens.cache_write_input;
  return [
    ['Cost', cost],
    ['Input', tokens ? counted(input ?? 0, tokens.cached_input, 'cached') : missing],
    ['Output', tokens ? counted(tokens.output, tokens.reasoning, 'thinking') : missing],
  ];
}

const counted = (tokens: number, part: number, kind: string) => (
  <>
    {formatTokens(tokens)} tokens
    {part > 0 && (
      <span class="soft">
        {' '}
        ({formatTokens(part)} {kind})
      </span>
    )}
  </>
);

function times(observed: Observed, settled: SettledRequest | undefined): (Fact | false)[] {
  const { firstPartMs, totalMs, queueMs, stopReason } = observed;
  const first = settled?.request?.first_token_ms ?? firstPartMs;
  return [
    first !== null && ['Time to first token', formatDuration(first)],
    ['Total time', formatDuration(totalMs)],
    queueMs ? ['Queued', formatDuration(queueMs)] : false,
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

type FailureProps = OutcomeProps & { settled: SettledRequest | undefined };

function Failure({ observed: { problem }, settled, onRetry }: FailureProps) {
  const { status, code, message, param } = problem!;
  const refusal = settled?.request?.refusal;
  const advice = refusal?.advice
    ? {
        text: refusal.advice.text,
        ...(refusal.advice.page && { href: refusal.advice.page, label: 'Open the page' }),
      }
    : adviceFor(code);
  return (
    <Notice
      kind="error"
      isAlert
      title={status > 0 ? `Refused with ${status}: ${code}` : `Failed: ${code}`}
      actions={onRetry && <Button onClick={onRetry}>Send again</Button>}
    >
      {refusal?.sentence ?? message} {param && <code>{param}</code>} <AdviceText advice={advice} />
    </Notice>
  );
}
