import { Checkbox } from '../../components/checkbox.tsx';
import { Input } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { Textarea } from '../../components/textarea.tsx';
import { JsonField } from './json-field.tsx';
import { sampleSchema, sampleTools } from './json-samples.ts';
import { ModelChoice } from './model-choice.tsx';
import type { SettingsSectionProps } from './settings-section-props.ts';

/** The model, the dialect and the parameters of the next request. */
export const SettingsPanel = (props: SettingsSectionProps) => (
  <details class="playground-settings card" open={!isNarrow()}>
    <summary>
      <h2 class="playground-settings-title">Settings</h2> <span class="soft">{props.settings.model}</span>
    </summary>
    <ModelChoice {...props} />
    <Parameters {...props} />
    {props.model?.capabilities.tools !== false && <ToolsField {...props} />}
    <SchemaField {...props} />
  </details>
);

/** On a phone the conversation comes first. */
const isNarrow = (): boolean => matchMedia('(max-width: 60rem)').matches;

function Parameters({ settings, model, dialect, faults, onChange }: SettingsSectionProps) {
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
          label="Output limit"
          type="number"
          min={1}
          inputMode="numeric"
          suffix="tokens"
          max={model?.max_output ?? undefined}
          value={settings.maxTokens}
          onInput={(maxTokens) => onChange({ maxTokens })}
        />
        <Input
          label="Temperature"
          type="decimal"
          placeholder="default"
          error={faults.temperature}
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

const ToolsField = ({ settings, faults, onChange }: SettingsSectionProps) => (
  <JsonField
    label="Tools"
    hint="A JSON list with name, description and the JSON schema of the input."
    value={settings.tools}
    fault={faults.tools}
    onInput={(tools) => onChange({ tools })}
    addLabel="Add tools"
    example={{ label: 'Insert an example', text: sampleTools }}
  />
);

const SchemaField = ({ settings, faults, onChange }: SettingsSectionProps) => (
  <JsonField
    label="JSON schema of the answer"
    hint="The answer is JSON of this form, if the model supports it."
    value={settings.schema}
    fault={faults.schema}
    onInput={(schema) => onChange({ schema })}
    addLabel="Add a JSON schema"
    example={{ label: 'Insert an example schema', text: sampleSchema }}
  />
);
