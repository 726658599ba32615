import { Refusal } from '../../base/errors/refusal.ts';
import { askProvider, type ProviderCall } from './call-provider.ts';
import { unlessRefused } from './lost-answer.ts';

/** Creates a batch and returns its id. Throws `LostAnswer` if the provider may have the batch anyway. */
export async function createNativeBatch(call: Omit<ProviderCall, 'method'>): Promise<string> {
  try {
    const { id } = await askProvider({ ...call, method: 'POST' });
    if (typeof id === 'string') return id;
  } catch (error) {
    throw error instanceof Refusal ? unlessRefused(error) : error;
  }
  throw unlessRefused(new Refusal('upstream_unavailable'));
}
