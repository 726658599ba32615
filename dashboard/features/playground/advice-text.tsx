import type { Advice } from './advice.ts';

/** An advice with the link to its page. */
export const AdviceText = ({ advice }: { advice: Advice | undefined }) =>
  advice ? (
    <>
      {advice.text}
      {advice.page && (
        <>
          {' '}
          <a href={advice.page}>{advice.linkText}</a>
        </>
      )}
    </>
  ) : null;
