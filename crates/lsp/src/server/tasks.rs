//! Questions that have a process of their own: what it says is the answer to a request.

use oxbow_driver::index::Answer;

use super::{Server, TaskKind};
use crate::analysis::Event;
use crate::{complete, protocol, rename};

impl Server {
    pub(super) fn task_event(&mut self, event: Event) {
        let Some(task) = self.tasks.remove(&event.number) else { return };
        let id = task.id;
        match (task.kind, event.answer) {
            (TaskKind::Completion(place), Some(Answer::Completion(found))) => {
                self.respond(&id, complete::items(&place, found));
            }
            (TaskKind::Completion(place), _) => {
                self.respond(&id, complete::items(&place, Vec::new()));
            }
            (TaskKind::Rename(mut checking), Some(Answer::Index(index))) => {
                match checking.verdict(&self.state, &index) {
                    Ok(()) => rename::next(self, id, checking),
                    Err(why) => self.fail(&id, protocol::REQUEST_FAILED, &why),
                }
            }
            (TaskKind::Rename(_), _) => {
                let why = "the program cannot be looked at with the new name";
                self.fail(&id, protocol::REQUEST_FAILED, why);
            }
        }
    }
}
