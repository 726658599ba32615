import { call } from '../../app/call.ts';
import { FormButton } from '../../components/form-button.tsx';
import { Input } from '../../components/input.tsx';

/** A button that raises a budget until a time. */
export const RaiseButton = ({ path, refreshes }: { path: string; refreshes: string }) => (
  <FormButton
    label="Raise"
    title="Raise the budget"
    refreshes={refreshes}
    done="The budget is raised."
    onSubmit={({ add_usd, ends_at, reason }) =>
      call('POST', `${path}/raise`, {
        add_usd: Number(add_usd),
        ends_at: new Date(ends_at ?? '').toISOString(),
        ...(reason && { reason }),
      })
    }
  >
    <Input name="add_usd" label="Add" type="decimal" min={0} step="any" prefix="$" isRequired hasFocus />
    <Input
      name="ends_at"
      label="Until"
      type="datetime-local"
      isRequired
      hint="In the time of this browser."
    />
    <Input name="reason" label="Reason" maxLength={200} />
  </FormButton>
);
