import type { Plan } from '../../../settings/plans/plan.ts';
import type { Plans } from '../../../settings/plans/plans.ts';
import { type Html, html } from '../html.ts';

const number = (value: number): string => value.toLocaleString('en-US');

const priceOf = ({ id, priceUsd }: Plan): string => {
  if (id === 'payg') return 'Pay per use';
  return priceUsd === null ? 'By arrangement' : `$${number(priceUsd)} a month`;
};

const creditsOf = ({ id, credits }: Plan): string => {
  if (id === 'payg') return 'Purchased: 500 for $1';
  if (credits === null) return 'Unlimited';
  return id === 'free' ? `${number(credits)}, once` : `${number(credits)} a month`;
};

/** The plans that an account can change to. `upgrade_url` links here. Closed plans and plans by arrangement are omitted. */
export const plansOnOffer = (
  plans: Plans,
): Html => html`<section aria-labelledby="plans"><h2 id="plans">Plans</h2>
<div class="scroll" role="region" aria-labelledby="plans" tabindex="0">
<table class="figures"><thead><tr><th scope="col">Plan</th><th scope="col">Price</th><th scope="col">Credits</th></tr></thead>
<tbody>${Object.values(plans)
  .filter(({ buyable }) => buyable)
  .map(
    (plan) =>
      html`<tr><th scope="row">${plan.displayName}</th><td>${priceOf(plan)}</td><td>${creditsOf(plan)}</td></tr>
`,
  )}</tbody></table></div>
<p>The operator of this server changes an account's plan. Upgrades apply immediately, downgrades at the next renewal.
<a href="docs#credits">How credits work</a></p>
</section>`;
