import { formatCredits, formatTokens } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { adviceFor } from './advice.ts';
import { AdviceText } from './advice-text.tsx';
import type { Quoted } from './use-quote.ts';

/**
 * Shows the cost of the next request, and the reason if it would be refused.
 * It has its place before there is a quote.
 */
export const QuoteLine = ({ quoted, isReady }: { quoted: Quoted; isReady: boolean }) => (
  <div class="quote-line" aria-live="polite">
    <QuoteText quoted={quoted} isReady={isReady} />
  </div>
);

function QuoteText({ quoted: { quote, problem }, isReady }: { quoted: Quoted; isReady: boolean }) {
  if (problem)
    return (
      <Notice kind="warning" title="This request would be refused">
        {problem.message} <AdviceText advice={adviceFor(problem.code)} />
      </Notice>
    );
  if (!quote)
    return <p class="soft">{isReady ? 'Computing the price…' : 'The price appears here before you send.'}</p>;
  const refusals = Object.values(quote.checks).flatMap(({ error }) => error ?? []);
  const { lowest, highest } = quote.credits;
  return (
    <>
      <p class="soft">
        Quote: <strong>{formatCredits(lowest)}</strong> to <strong>{formatCredits(highest)}</strong> credits
        for about {formatTokens(quote.estimated_input_tokens)} input tokens
        {quote.max_output_tokens !== null && (
          <> and up to {formatTokens(quote.max_output_tokens)} output tokens</>
        )}
        .
      </p>
      {refusals.map(({ code, message }) => (
        <Notice key={code} kind="warning" title="This request would be refused">
          {message} <AdviceText advice={adviceFor(code)} />
        </Notice>
      ))}
    </>
  );
}
