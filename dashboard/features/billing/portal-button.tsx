import type { CheckoutView } from '../../../src/console/dashboard/billing-order-schema.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import { toast } from '../../components/toasts.tsx';

/** Leads to the page at Stripe where cards and the subscription are managed. */
export function PortalButton({ path }: { path: string }) {
  const { run, isRunning } = useAction(async () => {
    try {
      location.assign((await call<CheckoutView>('POST', `${path}/portal`, {})).url);
    } catch (error) {
      toast((error as Error).message, 'error');
    }
  });
  return (
    <Button onClick={() => void run()} isRunning={isRunning}>
      Manage cards and subscription
    </Button>
  );
}
