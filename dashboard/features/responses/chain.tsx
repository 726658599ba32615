import type { ResponseDetail } from '../../../src/console/dashboard/response-schema.ts';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';

/** The responses that this one continues, oldest first. */
export const Chain = ({ response }: { response: ResponseDetail }) =>
  response.chain.length < 2 ? null : (
    <Section title="Conversation" lead="From the first response to this one.">
      <ol class="chain">
        {response.chain.map(({ id, model, created_at }) => (
          <li key={id} aria-current={id === response.id ? 'true' : undefined}>
            {id === response.id ? (
              <strong class="response-id">{id}</strong>
            ) : (
              <OtherResponse id={id} isKept={model !== null} />
            )}
            {model && (
              <span class="soft">
                {model}, <Time at={created_at} isRelative />
              </span>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );

const OtherResponse = ({ id, isKept }: { id: string; isKept: boolean }) =>
  isKept ? (
    <a class="response-id" href={`/responses/${encodeURIComponent(id)}`}>
      {id}
    </a>
  ) : (
    <span class="soft response-id">{id} (deleted or expired)</span>
  );
