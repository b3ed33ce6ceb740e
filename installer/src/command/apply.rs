//! How a command that changes this machine goes: it says what it found and what it will do, is told
//! to, does it, and says how things are then.

use super::Context;
use crate::cli::Detail;
use crate::install::{Ground, Plan, Turn};
use crate::outcome::{Outcome, Stop};
use crate::screen;
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

/// What is common to these commands.
#[derive(Args)]
pub(super) struct Consent {
    /// Show what would be done, as unified diffs, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Do it without asking
    #[arg(long, short, conflicts_with = "dry_run")]
    yes: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What a command is about to do.
pub(super) struct Job<'j> {
    /// What it is, and what was found.
    pub(super) heading: String,
    pub(super) plan: Plan,
    /// Looks whether it worked; where not, everything is taken back.
    pub(super) check: Box<dyn FnOnce() -> anyhow::Result<()> + 'j>,
    /// What a person is asked beside whether to do it; the answer makes it another job.
    pub(super) question: Option<String>,
    /// How things are then.
    pub(super) report: String,
    /// Heading and report for programs.
    pub(super) told: Value,
}

impl Consent {
    /// Runs a command. `job` looks at how things are, and is asked again when its turn has come, with
    /// what the person answered to its question.
    pub(super) fn carry<'j>(
        &self,
        ground: &dyn Ground,
        context: &Context,
        job: impl Fn(bool) -> Result<Job<'j>, Stop>,
    ) -> Result<Outcome, Stop> {
        if self.json {
            let (document, refused) = self.carry_as_document(ground, context, job)?;
            screen::json(&document)?;
            return refused.map(|()| Outcome::Done);
        }
        if self.yes {
            let turn = Turn::take(ground)?;
            let job = job(false)?;
            self.show(&job, context)?;
            return carry_out(job, &turn, context).map(|()| Outcome::Done);
        }
        let job_now = job(false)?;
        let is_asked = !self.dry_run && can_ask();
        let has_nothing_to_do = job_now.plan.is_empty() && job_now.question.is_none();
        if has_nothing_to_do || !is_asked {
            let is_refused = !self.dry_run && !job_now.plan.is_empty();
            self.show(&job_now, context)?;
            if is_refused {
                return Err(unasked());
            }
            if !self.dry_run && context.detail > Detail::Quiet {
                screen::print(&job_now.report)?;
            }
            return Ok(Outcome::Done);
        }
        self.show(&job_now, context)?;
        if !job_now.plan.is_empty() && !ask("Do it?")? {
            return Err(Stop::refused("nothing was done"));
        }
        let answer = match &job_now.question {
            Some(question) => ask(question)?,
            None => false,
        };
        let shown = if answer { job(true)? } else { job_now };
        let turn = Turn::take(ground)?;
        let job = job(answer)?;
        if job.plan.json() != shown.plan.json() {
            return Err(Stop::refused(
                "something changed while you decided, so nothing was done; run it again",
            ));
        }
        carry_out(job, &turn, context).map(|()| Outcome::Done)
    }

    /// The same as a document, for a command that prints one of several; that it was refused to do
    /// it without `--yes` comes second.
    pub(super) fn carry_as_document<'j>(
        &self,
        ground: &dyn Ground,
        context: &Context,
        job: impl Fn(bool) -> Result<Job<'j>, Stop>,
    ) -> Result<(Value, Result<(), Stop>), Stop> {
        if self.yes {
            let turn = Turn::take(ground)?;
            let job = job(false)?;
            let document = document(&job, true);
            turn.carry_out(job.plan, job.check, &context.env)?;
            return Ok((document, Ok(())));
        }
        let job = job(false)?;
        let is_refused = !self.dry_run && !job.plan.is_empty();
        let refused = if is_refused { Err(unasked()) } else { Ok(()) };
        Ok((document(&job, false), refused))
    }

    /// Asks a person, before there is a plan. `None` where nobody can be asked, or nobody wants to.
    pub(super) fn confirm(&self, question: &str) -> Result<Option<bool>, Stop> {
        if self.yes || self.json || !can_ask() {
            return Ok(None);
        }
        ask(question).map(Some)
    }

    pub(super) const fn is_json(&self) -> bool {
        self.json
    }

    fn show(&self, job: &Job, context: &Context) -> Result<(), Stop> {
        if context.detail == Detail::Quiet && !self.dry_run {
            return Ok(());
        }
        screen::print(&format!("{}{}", job.heading, job.plan.print()))
    }
}

fn carry_out(job: Job, turn: &Turn, context: &Context) -> Result<(), Stop> {
    turn.carry_out(job.plan, job.check, &context.env)?;
    if context.detail > Detail::Quiet {
        screen::print(&job.report)?;
    }
    Ok(())
}

fn document(job: &Job, is_done: bool) -> Value {
    let mut document = json!({"schema": 1, "done": is_done, "steps": job.plan.json()});
    if let (Some(document), Some(told)) = (document.as_object_mut(), job.told.as_object()) {
        document.extend(told.clone());
    }
    document
}

fn unasked() -> Stop {
    Stop::refused(
        "nothing was done: there is no terminal to ask at; say --yes, or --dry-run to only look",
    )
}

/// For a command without a plan: goes on once it may be done.
pub(super) fn agree(yes: bool) -> Result<(), Stop> {
    if yes {
        return Ok(());
    }
    if !can_ask() {
        return Err(unasked());
    }
    if ask("Do it?")? {
        Ok(())
    } else {
        Err(Stop::refused("nothing was done"))
    }
}

fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

fn ask(question: &str) -> Result<bool, Stop> {
    anstream::print!("\n{question} [y/N] ");
    io::stdout().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
