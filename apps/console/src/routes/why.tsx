import { Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { PageHead } from '../parts/page-head.tsx';
import { Answers } from '../why/answers.tsx';
import { QuestionBar } from '../why/question-bar.tsx';
import { readWhySearch } from '../why/why-search.ts';

export const Route = createFileRoute('/why')({ validateSearch: readWhySearch, component: WhyPage });

function WhyPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <>
      <PageHead title="Why didn't it arrive?">
        Shows whether the events of a room or a call reached each endpoint, and what to do if they did not.
      </PageHead>
      <Stack gap="md">
        <QuestionBar
          search={search}
          ask={(question) => void navigate({ search: readWhySearch({ ...question }) })}
        />
        <Answers search={search} />
      </Stack>
    </>
  );
}
