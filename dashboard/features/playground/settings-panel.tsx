import { useState } from 'preact/hooks';
import type { PlaygroundModel, PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Combobox } from '../../components/combobox.tsx';
import { Input } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { Textarea } from '../../components/textarea.tsx';
import { ComparePicker } from './compare-picker.tsx';
import type { Settings } from './conversation.ts';
import { dialects, type PlaygroundDialect } from './dialects.ts';
import { sampleSchema, sampleTools } from './sample-tools.ts';

type SettingsPanelProps = {
  options: PlaygroundOptions;
  settings: Settings;
  /** It is undefined if the catalog has no such model. */
  model: PlaygroundModel | undefined;
  dialect: PlaygroundDialect;
  faults: { tools: string | undefined; schema: string | undefined };
  onChange: (change: Partial<Settings>) => void;
};

/** The model, the dialect and the parameters of the next request. */
export const SettingsPanel = (props: SettingsPanelProps) => (
  <details class="playground-settings card" open={!isNarrow()}>
    <summary>
      <h2 class="playground-settings-title">Settings</h2> <span class="soft">{props.settings.model}</span>
    </summary>
    <ModelChoice {...props} />
    <Parameters {...props} />
    <Tools {...props} />
    <AnswerSchema {...props} />
  </details>
);

/** On a phone the conversation comes first. */
const isNarrow = (): boolean => matchMedia('(max-width: 60rem)').matches;

function ModelChoice({ options, settings, model, onChange }: SettingsPanelProps) {
  const rows = options.models.map(({ id, display_name, included }) => ({
    value: id,
    label: id,
    hint: [display_name === id ? '' : display_name, included ? '' : 'not in your plan']
      .filter(Boolean)
      .join(' · '),
  }));
  return (
    <>
      <Combobox
        label="Model"
        options={rows}
        value={settings.model}
        error={model ? undefined : 'The catalog has no such model.'}
        onChange={(id) => id && onChange({ model: id })}
      />
      {model && <ModelFacts model={model} />}
      <ComparePicker model={settings.model} options={rows} />
      <Select
        label="Dialect"
        options={dialects.map(({ id, label, path }) => ({ value: id, label: `${label} (${path})` }))}
        value={settings.dialect}
        onChange={(dialect) => onChange({ dialect: dialect as Settings['dialect'] })}
      />
      {options.plan !== 'payg' && (
        <Checkbox
          label="Pay as you go"
          hint={
            model && !model.included
              ? 'Your plan does not include this model. Purchased credit can pay for it.'
              : 'Purchased credit pays instead of the plan.'
          }
          isChecked={settings.payAsYouGo}
          onChange={(payAsYouGo) => onChange({ payAsYouGo })}
        />
      )}
    </>
  );
}

const abilities = {
  tools: 'Tools',
  reasoning: 'Thinking',
  vision: 'Images',
  documents: 'Documents',
} as const;

const ModelFacts = ({ model }: { model: PlaygroundModel }) => (
  <p class="playground-abilities">
    {Object.entries(abilities).map(
      ([name, label]) =>
        model.capabilities[name as keyof typeof abilities] && <Badge key={name}>{label}</Badge>,
    )}
    {model.simulated && <Badge tone="warning">Simulated</Badge>}
    {!model.included && <Badge tone="warning">Not in your plan</Badge>}
  </p>
);

function Parameters({ settings, model, dialect, onChange }: SettingsPanelProps) {
  const efforts = model?.reasoning_efforts.length ? model.reasoning_efforts : ['low', 'medium', 'high'];
  return (
    <>
      <Textarea
        label="System prompt"
        rows={3}
        value={settings.system}
        onInput={(system) => onChange({ system })}
      />
      <div class="playground-pair">
        <Input
          {...{ label: 'Output limit', type: 'number', min: 1, inputMode: 'numeric', suffix: 'tokens' }}
          max={model?.max_output ?? undefined}
          value={settings.maxTokens}
          onInput={(maxTokens) => onChange({ maxTokens })}
        />
        <Input
          {...{ label: 'Temperature', type: 'number', min: 0, max: 2, step: 0.1, inputMode: 'decimal' }}
          placeholder="default"
          value={settings.temperature}
          onInput={(temperature) => onChange({ temperature })}
        />
      </div>
      {model?.capabilities.reasoning && (
        <Select
          label="Thinking effort"
          options={[
            { value: '', label: 'The model decides' },
            ...efforts.map((value) => ({ value, label: value })),
          ]}
          value={settings.effort}
          onChange={(effort) => onChange({ effort })}
        />
      )}
      {dialect.hasStops && (
        <Textarea
          label="Stop sequences"
          hint="One per line."
          rows={2}
          isCode
          value={settings.stop}
          onInput={(stop) => onChange({ stop })}
        />
      )}
      <Checkbox
        label="Stream the answer"
        isChecked={settings.stream}
        onChange={(stream) => onChange({ stream })}
      />
      {dialect.hasStorage && (
        <Checkbox
          label="Store the response"
          hint="It appears under Stored responses until it expires."
          isChecked={settings.store}
          onChange={(store) => onChange({ store })}
        />
      )}
    </>
  );
}

function Tools({ settings, model, faults, onChange }: SettingsPanelProps) {
  const [isOpen, setOpen] = useState(settings.tools !== '');
  if (model && !model.capabilities.tools) return null;
  if (!isOpen && settings.tools === '')
    return (
      <Button icon="plus" onClick={() => setOpen(true)}>
        Add tools
      </Button>
    );
  return (
    <div class="playground-tools">
      <Textarea
        label="Tools"
        hint="A JSON list with name, description and the JSON schema of the input."
        rows={8}
        isCode
        {...(faults.tools !== undefined && { error: faults.tools })}
        value={settings.tools}
        onInput={(tools) => onChange({ tools })}
      />
      {settings.tools.trim() === '' && (
        <Button kind="quiet" onClick={() => onChange({ tools: sampleTools })}>
          Insert an example
        </Button>
      )}
    </div>
  );
}

function AnswerSchema({ settings, faults, onChange }: SettingsPanelProps) {
  const [isOpen, setOpen] = useState(settings.schema !== '');
  if (!isOpen && settings.schema === '')
    return (
      <Button icon="plus" onClick={() => setOpen(true)}>
        Add a JSON schema
      </Button>
    );
  return (
    <div class="playground-tools">
      <Textarea
        label="JSON schema of the answer"
        hint="The answer is JSON of this form, if the model supports it."
        rows={8}
        isCode
        {...(faults.schema !== undefined && { error: faults.schema })}
        value={settings.schema}
        onInput={(schema) => onChange({ schema })}
      />
      {settings.schema.trim() === '' && (
        <Button kind="quiet" onClick={() => onChange({ schema: sampleSchema })}>
          Insert an example schema
        </Button>
      )}
    </div>
  );
}
