import type { Advice } from './advice.ts';

export const AdviceText = ({ advice }: { advice: Advice | undefined }) =>
  advice ? (
    <>
      {advice.text}
      {advice.href && (
        <>
          {' '}
          <a href={advice.href}>{advice.label}</a>
        </>
      )}
    </>
  ) : null;
