import { ableModel } from '../../support/wire-models.ts';

const on = (wire: string, how = '') => [{ provider: `hidden-${wire}`, model: `hidden-model${how}` }];

/**
 * Returns a configuration that every release understands. Its providers are simulators that count as live, so
 * requests cost credits. `lateHow` is what the simulator does with the model `late`.
 */
export const releaseConfig = (upstream: string, lateHow = '') => ({
  providers: [
    { id: 'hidden-openai-chat', wire: 'openai-chat', base_url: `${upstream}/v1` },
    { id: 'hidden-anthropic-messages', wire: 'anthropic-messages', base_url: `${upstream}/v1` },
  ],
  catalog: {
    default: false,
    models: [
      ableModel('able', on('anthropic-messages')),
      ableModel('on-chat', on('openai-chat')),
      ableModel('slow', on('openai-chat', '!drip-ms=120')),
      ableModel('late', on('openai-chat', lateHow)),
      ableModel('paid', on('openai-chat'), { plan: 'payg' }),
    ],
  },
});
