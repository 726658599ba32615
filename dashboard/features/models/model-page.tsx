import type { ModelDetail } from '../../../src/console/dashboard/model-schema.ts';
import { withParameters } from '../../app/address.ts';
import type { PageProps } from '../../app/page.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { LinkButton } from '../../components/button.tsx';
import { ClientSnippets } from '../../components/client-snippets.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DetailPage } from '../../components/detail-page.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber, formatTokens } from '../../components/format.ts';
import { formatDate } from '../../components/format-time.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Access, Capabilities, hasTokenPrices, MeteredPrices, outputWords, Prices } from './model-facts.tsx';
import { PriceRows } from './price-rows.tsx';

/** A model with everything that decides whether and how to use it. */
export function ModelPage({ params }: PageProps) {
  const path = `/models/${(params.id ?? '').split('/').map(encodeURIComponent).join('/')}`;
  const query = useQuery<ModelDetail>(inOrganization(path));
  const model = query.data;
  return (
    <DetailPage
      query={query}
      title={model?.name ?? params.id ?? ''}
      back={{ href: '/models', label: 'Models' }}
      actions={
        model?.kind === 'chat' && (
          <LinkButton
            kind="primary"
            icon="playground"
            href={withParameters('/playground', { model: model.id })}
          >
            Try it
          </LinkButton>
        )
      }
    >
      {(found) => <Model model={found} />}
    </DetailPage>
  );
}

const Model = ({ model }: { model: ModelDetail }) => (
  <>
    <p class="model-id">
      <code>{model.id}</code>
      <CopyButton text={model.id} label="Copy id" />
      <Access model={model} />
    </p>
    {model.description && <p>{model.description}</p>}
    <Unlock model={model} />
    <Properties model={model} />
    <Section title="Prices" lead={model.simulated ? 'Simulated answers are free.' : undefined}>
      {model.metered_usd && <MeteredPrices prices={model.metered_usd} />}
      {hasTokenPrices(model) && <Prices model={model} />}
      {model.rowed_prices && <PriceRows prices={model.rowed_prices} />}
    </Section>
    <Plans model={model} />
    {model.kind === 'chat' && (
      <Section title="Use it" lead="With one of your keys.">
        <ClientSnippets secret="YOUR_KEY" model={model.id} />
      </Section>
    )}
    <Section title="Request fields">
      <p class="badges">
        {model.supported_parameters.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </p>
    </Section>
  </>
);

const Properties = ({ model }: { model: ModelDetail }) => (
  <Section title="Properties" isCard>
    <Facts
      facts={[
        model.context_window > 0 && ['Context window', `${formatTokens(model.context_window)} tokens`],
        ['Endpoints', model.endpoints.join(', ')],
        model.kind === 'chat' && ['Maximum output', outputWords(model)],
        model.output_dimensions !== null && ['Dimensions', formatNumber(model.output_dimensions)],
        model.kind === 'chat' && ['Capabilities', <Capabilities model={model} />],
        ['Vendor', model.owned_by],
        ['Tier', model.tier],
        [
          'Delivery',
          model.delivery === 'exact' ? 'This model always answers' : 'The server chooses the model',
        ],
        ['Since', formatDate(new Date(model.created * 1_000).toISOString())],
        ['Other names', model.aliases.length > 0 ? model.aliases.join(', ') : 'None'],
        ['Native protocols', model.native_wires.join(', ') || 'None'],
      ]}
    />
  </Section>
);

/** The plans, and whether each of them includes the model. */
const Plans = ({ model }: { model: ModelDetail }) => (
  <Section title="Plans">
    <ul class="plan-list">
      {model.plans.map((plan) => (
        <li key={plan.id}>
          <span>
            {plan.name}
            {plan.is_own && <span class="soft"> (yours)</span>}
          </span>
          <Badge tone={plan.includes ? 'good' : 'neutral'}>
            {plan.includes ? 'Includes it' : 'Does not include it'}
          </Badge>
        </li>
      ))}
    </ul>
  </Section>
);

/** Shows how a model that the plan does not include becomes usable. */
function Unlock({ model }: { model: ModelDetail }) {
  if (!model.available)
    return (
      <Notice kind="warning" title="Not available">
        No provider is set up for this model, so it cannot be called.
      </Notice>
    );
  if (model.included) return null;
  const { unlocked_by } = model;
  return (
    <Notice
      title={`The ${model.plan.name} plan does not include this model`}
      actions={<LinkButton href="/billing">Plans and billing</LinkButton>}
    >
      {unlocked_by.id === 'payg'
        ? 'A pay-as-you-go key can call it with purchased credit.'
        : `The ${unlocked_by.name} plan includes it. So does a pay-as-you-go key with purchased credit.`}
    </Notice>
  );
}
