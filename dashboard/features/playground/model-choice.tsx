import { entriesOf } from '../../../src/base/lib/records.ts';
import type { PlaygroundModel } from '../../../src/console/dashboard/playground-schema.ts';
import { Badge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Combobox } from '../../components/combobox.tsx';
import { Select } from '../../components/select.tsx';
import { ComparePicker } from './compare-picker.tsx';
import { dialects } from './dialects.ts';
import type { SettingsSectionProps } from './settings-section-props.ts';

const capabilityNames: Readonly<Record<keyof PlaygroundModel['capabilities'], string>> = {
  tools: 'Tools',
  reasoning: 'Thinking',
  vision: 'Images',
  documents: 'Documents',
};

/** The choices of the model, of the models to compare it with, of the dialect and of the payment. */
export function ModelChoice({ options, settings, model, onChange }: SettingsSectionProps) {
  const modelOptions = options.models.map(optionOf);
  return (
    <>
      <Combobox
        label="Model"
        options={modelOptions}
        value={settings.model}
        error={model ? undefined : 'The catalog has no such model.'}
        onChange={(id) => id && onChange({ model: id })}
      />
      {model && <ModelFacts model={model} />}
      <ComparePicker model={settings.model} options={modelOptions} />
      <Select
        label="Dialect"
        options={dialects.map(({ id, label, path }) => ({ value: id, label: `${label} (${path})` }))}
        value={settings.dialect}
        onChange={(dialect) => onChange({ dialect })}
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

function optionOf({ id, display_name, included }: PlaygroundModel) {
  const hints = [display_name !== id && display_name, !included && 'not in your plan'];
  return { value: id, label: id, hint: hints.filter(Boolean).join(' · ') };
}

const ModelFacts = ({ model }: { model: PlaygroundModel }) => (
  <p class="playground-abilities">
    {entriesOf(capabilityNames).map(
      ([capability, name]) => model.capabilities[capability] && <Badge key={capability}>{name}</Badge>,
    )}
    {model.simulated && <Badge tone="warning">Simulated</Badge>}
    {!model.included && <Badge tone="warning">Not in your plan</Badge>}
  </p>
);
