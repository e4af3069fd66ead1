# Two ways of Snakemake that would cost results, put right. Both are tested, and the versions are pinned.

from snakemake.jobs import Job
from snakemake.persistence import FileBackupMixin, PersistenceBase

from biasorigin.slurm_queue import asked_again, known_jobs


def keep_results_and_records():
    """Let a failed job change neither files nor records, and a job's own Snakemake no records.

    An artefact is only ever replaced as a whole, by a rename. So earlier results can stay where they are, and a job that
    failed or was killed has only to be known as one that has to run again. Snakemake copies outputs that stay (`update`)
    and copies them back after a failure; but a copy that was cut short comes back as a result, and results that came
    back count as made with the new configuration. And a job that ends after its run was killed counts as done, without a
    record of what it was made with.
    """
    succeed, record = Job.postprocess, PersistenceBase.finished

    async def postprocess(self, *arguments, error=False, **options):
        if not error:
            return await succeed(self, *arguments, **options)
        await self.dag.handle_log(self)
        await self.dag.handle_storage(self, store_only_log=True)

    async def finished(self, job):
        if self.dag.workflow.is_main_process:
            await record(self, job)

    Job.postprocess, PersistenceBase.finished = postprocess, finished
    FileBackupMixin.backup_output = lambda self, path: None


def remember_slurm_jobs():
    """Neither forget the jobs while Slurm's controller does not answer, nor wait for ever for one that it has lost."""
    from snakemake_executor_plugin_slurm import Executor

    Executor.check_active_jobs = asked_again(Executor.check_active_jobs, known_jobs)


keep_results_and_records()
