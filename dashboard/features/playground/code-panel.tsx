import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/section.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { codeSample, languages } from './code-samples.ts';
import type { SampleInput } from './sample-input.ts';
import { shortenData } from './shorten-data.ts';

/** The next request as code, for the chosen dialect. */
export const CodePanel = (input: SampleInput) => (
  <Section
    title="This request as code"
    lead={
      <>
        Store one of your keys in <code>TOLLGATE_API_KEY</code>. <a href="/keys">Create a key</a>
      </>
    }
  >
    <Tabs label="Languages" param="code" tabs={languages}>
      {(language) => {
        const code = codeSample(language, input);
        return <CodeBlock label={language} code={shortenData(code)} copied={code} />;
      }}
    </Tabs>
  </Section>
);
